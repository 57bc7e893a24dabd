// fp8_unit.hpp - how real matrix units add up products of 8-bit values.
//
// They keep fewer bits than the same units keep for 16-bit values. No bundled kernel multiplies in
// eight bits, so there are no warp's fragments here: one element of a product, to be held against
// measurements. What each unit may lose is error-analysis.md, Corollary 4.1.
#pragma once

#include <cstdint>
#include <span>

#include "core/format.hpp"

namespace attest {

struct Fp8Unit {
  // Hopper: 32 products and the accumulator aligned, cut to 13 fraction bits below the largest
  // exponent, added; the sum is cut to a binary32 of 13 fraction bits.
  static constexpr Fp8Unit h100() { return {32, 13, 13, false}; }
  // Ada: the same by 16.
  static constexpr Fp8Unit ada() { return {16, 13, 13, false}; }
  // Blackwell's warp-level products: 32 products alone, cut as those of 16 bits are; then the
  // accumulator joins by an addition of binary32, to nearest.
  static constexpr Fp8Unit b200() { return {32, 25, 23, true}; }

  int width;                 // products of a block
  int fraction_bits;         // that a term keeps below the block's largest exponent
  int output_fraction_bits;  // that the block's sum keeps
  bool accumulator_last;     // added to the block's sum, no term of it
};

// c + a . b as `unit` computes it, block after block in ascending order; subnormals are kept. Where
// an operand is not finite, the infinity or NaN that IEEE addition of the same terms gives.
//
// Requires: a and b hold as many patterns of `format`, which is e4m3 or e5m2, a multiple of the
// unit's width.
[[nodiscard]] float accumulate(const Fp8Unit& unit, Format format, std::span<const std::uint8_t> a,
                               std::span<const std::uint8_t> b, float c);

}  // namespace attest
