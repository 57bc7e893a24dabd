// aligned_sum.hpp - what a truncating matrix unit does to one block, one element at a time.
#pragma once

#include <cstdint>
#include <span>

namespace attest {

// Exponents as the unit sees them. A zero takes no part in the choice of the largest, whatever it
// is multiplied by, and an infinity or NaN exceeds every finite exponent, even times zero.
inline constexpr std::int32_t kExponentOfZero = -10000;
inline constexpr std::int32_t kExponentNotFinite = 20000;

// That of a subnormal is the smallest normal one's.
[[nodiscard]] int exponent_of(float x, int smallest_normal);

// A product, or an accumulator. The exponent of a product is the sum of its operands': its
// significand may reach 4.
struct AlignedTerm {
  double value;
  int exponent;
};

// Terms aligned to their largest exponent, cut toward zero to `fraction_bits` bits below it, added
// exactly. Where a term is not finite: the infinity or NaN that IEEE addition gives.
//
// Requires: at most 64 terms, of at most 53 significant bits; fraction_bits from 0 to 25.
[[nodiscard]] double aligned_sum(std::span<const AlignedTerm> terms, int fraction_bits);

// To binary32, toward zero, or to a binary32 of no more than `fraction_bits` fraction bits. A
// magnitude beyond every finite value becomes infinite, although rounding toward zero would stop at
// the largest: both public models of these units say so, and no measured vector reaches it.
//
// Requires: fraction_bits from 0 to 23.
[[nodiscard]] float cut_to_binary32(double x, int fraction_bits = 23);

}  // namespace attest
