#include "kernels/machine/matrix_unit.hpp"

#include <array>
#include <bit>
#include <type_traits>

#include "core/contract.hpp"
#include "kernels/machine/columns.hpp"
#include "kernels/machine/matrix_unit_rules.hpp"

namespace attest {
namespace {

// Kernels pad tiles, so that many products are with zeros alone. Under every rule such a product
// leaves a finite accumulator as it is, but for the sign of a zero: not worth the arithmetic.

constexpr std::size_t kColumns = 8;

template <std::size_t kCount>
bool all_zero(const std::uint32_t* packs) {
  Words any{};
  for (std::size_t n = 0; n < kCount; n += kColumns) any |= load<Words>(packs + n);
  std::uint32_t bits = 0;
  for (std::size_t n = 0; n < kColumns; ++n) bits |= any[n];
  return bits == 0;
}

template <class Element, std::size_t kCount>
bool all_finite(const std::uint32_t* packs) {
  constexpr std::uint32_t kExponent = std::is_same_v<Element, Fp16> ? 0x7c00 : 0x7f80;
  constexpr std::uint32_t kHighExponent = kExponent << 16;
  Ints open{};
  for (std::size_t n = 0; n < kCount; n += kColumns) {
    const auto pair = load<Words>(packs + n);
    open |= ((pair & kExponent) == kExponent) | ((pair & kHighExponent) == kHighExponent);
  }
  return all_zero<kColumns>(std::bit_cast<std::array<std::uint32_t, kColumns>>(open).data());
}

// Does c + 0 leave every bit of c as it is?
bool stays(const PackedC& c) {
  constexpr std::uint32_t kExponent = 0x7f80'0000, kMinusZero = 0x8000'0000;
  Ints changes{};
  for (const auto& row : c.value) {
    const auto bits = load<Words>(row);
    changes |= ((bits & kExponent) == kExponent) | (bits == kMinusZero);
  }
  return all_zero<kColumns>(std::bit_cast<std::array<std::uint32_t, kColumns>>(changes).data());
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
  constexpr std::size_t kOfA = 4 * 32, kOfB = 2 * 32;
  const std::uint32_t* const in_a = a.pack[0];
  const bool a_zero = all_zero<kOfA>(in_a);
  const auto changes_nothing = [&](int t) {
    const std::uint32_t* const in_b = b[t].pack[0];
    if (a_zero) return all_finite<Element, kOfB>(in_b) && stays(c[t]);
    return all_zero<kOfB>(in_b) && all_finite<Element, kOfA>(in_a) && stays(c[t]);
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
