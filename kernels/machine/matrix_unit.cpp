#include "kernels/machine/matrix_unit.hpp"

#include <bit>
#include <span>
#include <type_traits>

#include "core/contract.hpp"
#include "kernels/machine/matrix_unit_rules.hpp"

namespace attest {
namespace {

// Kernels pad tiles, so that many products are with zeros alone. Under every rule such a product
// leaves a finite accumulator as it is, but for the sign of a zero: not worth the arithmetic.

using Packs = std::span<const std::uint32_t>;

struct Held {
  bool zeros;  // +0 and nothing else
  bool finite;
};

template <class Element>
Held held_in(Packs packs) {
  constexpr std::uint32_t kExponent = std::is_same_v<Element, Fp16> ? 0x7c00 : 0x7f80;
  constexpr std::uint32_t kHighExponent = kExponent << 16;
  std::uint32_t any = 0;
  bool open = false;
  for (const std::uint32_t pack : packs) {
    any |= pack;
    open |= ((pack & kExponent) == kExponent) | ((pack & kHighExponent) == kHighExponent);
  }
  return {any == 0, !open};
}

template <class Element>
Held held_in(const PackedA& a) {
  return held_in<Element>(Packs(a.pack[0], 4 * 32));
}
template <class Element>
Held held_in(const PackedB& b) {
  return held_in<Element>(Packs(b.pack[0], 2 * 32));
}

// Does c + 0 leave every bit of c as it is?
bool stays(const PackedC& c) {
  constexpr std::uint32_t kExponent = 0x7f80'0000, kMinusZero = 0x8000'0000;
  bool changes = false;
  for (const auto& row : c.value) {
    for (const float value : row) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      changes |= ((bits & kExponent) == kExponent) | (bits == kMinusZero);
    }
  }
  return !changes;
}

template <class Element>
void multiply_any(const MatrixUnit& unit, const PackedA& a, const PackedB* b, PackedC* c,
                  int tiles) {
  switch (unit.rule) {
    case MatrixUnit::Rule::sequential: return multiply_sequential<Element>(a, b, c, tiles);
    case MatrixUnit::Rule::exact: return multiply_exact<Element>(a, b, c, tiles);
    case MatrixUnit::Rule::truncating: return multiply_truncating<Element>(unit, a, b, c, tiles);
  }
  contract_broken("a matrix unit adds up by one of three rules", __FILE__, __LINE__);
}

}  // namespace

std::optional<MatrixUnit> matrix_unit_of(Unit unit) {
  switch (unit) {
    case Unit::fp32_seq: return MatrixUnit::sequential();
    case Unit::exact_rn: return MatrixUnit::exact();
    case Unit::v100: return MatrixUnit::v100();
    case Unit::a100: return MatrixUnit::a100();
    case Unit::h100: return MatrixUnit::h100();
    case Unit::device: break;
  }
  return std::nullopt;
}

template <class Element>
void multiply_accumulate(const MatrixUnit& unit, const PackedA& a, const PackedB* b, PackedC* c,
                         int tiles) {
  const bool truncates = unit.rule == MatrixUnit::Rule::truncating;
  ATTEST_EXPECTS(!truncates || (unit.fraction_bits >= 23 && unit.fraction_bits <= 25));
  ATTEST_EXPECTS(!truncates || unit.width == 4 || unit.width == 8 || unit.width == 16);
  const Held in_a = held_in<Element>(a);
  const auto changes_nothing = [&](int t) {
    const Held in_b = held_in<Element>(b[t]);
    const bool zeros = (in_a.zeros && in_b.finite) || (in_b.zeros && in_a.finite);
    return zeros && stays(c[t]);
  };
  for (int t = 0; t < tiles;) {
    int end = t;
    while (end < tiles && !changes_nothing(end)) ++end;
    if (end > t) multiply_any<Element>(unit, a, b + t, c + t, end - t);
    t = end + 1;
  }
}

template void multiply_accumulate<Fp16>(const MatrixUnit&, const PackedA&, const PackedB*, PackedC*,
                                        int);
template void multiply_accumulate<Bf16>(const MatrixUnit&, const PackedA&, const PackedB*, PackedC*,
                                        int);

}  // namespace attest
