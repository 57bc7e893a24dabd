#include "properties/laws/difference.hpp"

#include <cstdio>

namespace attest {
namespace {

// A NaN that the subject wrote.
bool is_written_nan(Format format, std::uint64_t bits) {
  return classify(format, bits) == ValueClass::nan && bits != poison_bits(format);
}

bool agree(Format format, std::uint64_t a, std::uint64_t z, ZeroSign zero_sign) {
  if (a == z || (is_written_nan(format, a) && is_written_nan(format, z))) return true;
  return zero_sign == ZeroSign::open && classify(format, a) == ValueClass::zero &&
         classify(format, z) == ValueClass::zero;
}

std::string compare_tensor(const Tensor& before, const Tensor& after, const char* name,
                           const RowFilter& chosen, ZeroSign zero_sign) {
  const ConstTensorView a = before.view();
  const ConstTensorView z = after.view();
  const auto [batch, heads, rows, columns] = before.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index i = 0; i < rows; ++i) {
      if (!chosen(b, i)) continue;
      for (Index h = 0; h < heads; ++h) {
        for (Index k = 0; k < columns; ++k) {
          const auto was = static_cast<unsigned long long>(a.bits(b, h, i, k));
          const auto is = static_cast<unsigned long long>(z.bits(b, h, i, k));
          if (agree(before.format(), was, is, zero_sign)) continue;
          char text[128];
          const int digits = 2 * bytes_of(before.format());
          std::snprintf(text, sizeof text, "%s[b=%d h=%d i=%d k=%d] was %0*llx and is %0*llx", name,
                        static_cast<int>(b), static_cast<int>(h), static_cast<int>(i),
                        static_cast<int>(k), digits, was, digits, is);
          return text;
        }
      }
    }
  }
  return {};
}

void mix(std::uint64_t& hash, std::byte byte) {
  hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;  // FNV-1a
}

}  // namespace

std::string first_difference(const Outputs& before, const Outputs& after, const RowFilter& chosen,
                             ZeroSign zero_sign) {
  std::string where = compare_tensor(before.o, after.o, "o", chosen, zero_sign);
  return where.empty() ? compare_tensor(before.lse, after.lse, "lse", chosen, zero_sign) : where;
}

bool fixed_when_dead(const Semantics& semantics) {
  return semantics.dead_o != DeadO::unspecified && semantics.dead_lse != DeadLse::unspecified;
}

std::uint64_t seed_of(const Problem& problem, const Inputs& inputs) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : to_string(problem)) mix(hash, static_cast<std::byte>(c));
  for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v}) {
    for (const std::byte byte : tensor->bytes()) mix(hash, byte);
  }
  return hash;
}

}  // namespace attest
