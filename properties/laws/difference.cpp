#include "properties/laws/difference.hpp"

#include <cstdio>
#include <cstring>
#include <string>

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

std::string compare_output(const NamedOutput& before, const Tensor& after, const RowFilter& chosen,
                           ZeroSign zero_sign) {
  const Format format = before.tensor->format();
  const ConstTensorView a = before.tensor->view();
  const ConstTensorView z = after.view();
  const auto [batch, heads, rows, columns] = before.tensor->extents();
  const auto row_bytes = static_cast<std::size_t>(columns * bytes_of(format));
  for (Index b = 0; b < batch; ++b) {
    for (Index row = 0; row < rows; ++row) {
      if (!chosen(before, b, row)) continue;
      for (Index h = 0; h < heads; ++h) {
        // Nearly always, and quick to see.
        if (columns == 0 || std::memcmp(a.at(b, h, row, 0), z.at(b, h, row, 0), row_bytes) == 0) {
          continue;
        }
        for (Index k = 0; k < columns; ++k) {
          const auto was = static_cast<unsigned long long>(a.bits(b, h, row, k));
          const auto is = static_cast<unsigned long long>(z.bits(b, h, row, k));
          if (agree(format, was, is, zero_sign)) continue;
          char bits[64];
          const int digits = 2 * bytes_of(format);
          std::snprintf(bits, sizeof bits, " was %0*llx and is %0*llx", digits, was, digits, is);
          return place_in(before, b, h, row, k) + bits;
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
  const std::vector<NamedOutput> then = named_outputs(before);
  const std::vector<NamedOutput> now = named_outputs(after);
  for (std::size_t n = 0; n < then.size(); ++n) {
    std::string where = compare_output(then[n], *now[n].tensor, chosen, zero_sign);
    if (!where.empty()) return where;
  }
  return {};
}

bool fixed_when_dead(const Semantics& semantics) {
  return semantics.dead_o != DeadO::unspecified && semantics.dead_lse != DeadLse::unspecified;
}

std::uint64_t seed_of(const Problem& problem, const Inputs& inputs) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : to_string(problem)) mix(hash, static_cast<std::byte>(c));
  for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
    for (const std::byte byte : tensor->bytes()) mix(hash, byte);
  }
  return hash;
}

}  // namespace attest
