// matrix_unit.hpp - how an emulated matrix unit adds up.
//
// It is the one thing in which real GPUs differ from each other, hence a choice of each run and not
// of the kernel. Products of 16-bit values are exact in every model; the sums are not.
#pragma once

#include <cstdint>
#include <optional>

#include "core/unit.hpp"
#include "kernels/machine/storage.hpp"

namespace attest {

struct MatrixUnit {
  enum class Rule : std::uint8_t { sequential, exact, truncating };

  // One fused multiply-add in binary32 after the other, in ascending order of k, rounding to
  // nearest: no GPU, but easy to bound.
  static constexpr MatrixUnit sequential() { return {Rule::sequential, 1, 0}; }

  // 16 products and the accumulator summed exactly, rounded once to nearest, ties to even.
  static constexpr MatrixUnit exact() { return {Rule::exact, 16, 0}; }

  // Blocks of `width` products in ascending order of k. Each block and the accumulator are aligned
  // to their largest exponent, cut toward zero to `fraction_bits` bits below it, added exactly, and
  // the sum is cut to binary32.
  //
  // Requires: width 4, 8 or 16; fraction_bits from 23 to 25.
  static constexpr MatrixUnit truncating(int width, int fraction_bits) {
    return {Rule::truncating, width, fraction_bits};
  }
  static constexpr MatrixUnit v100() { return truncating(4, 23); }
  static constexpr MatrixUnit a100() { return truncating(8, 24); }
  static constexpr MatrixUnit h100() { return truncating(16, 25); }

  Rule rule;
  int width;
  int fraction_bits;

  friend constexpr bool operator==(const MatrixUnit&, const MatrixUnit&) = default;
};

// Nothing for Unit::device, which is no model.
[[nodiscard]] std::optional<MatrixUnit> matrix_unit_of(Unit unit);

// A 16x16 operand, a 16x8 operand and their 16x8 accumulator as 32 lanes hold them:
// [register][lane] is, in this order, exactly row-major 8x8 quarters of a (upper left, lower left,
// upper right, lower right), column-major upper and lower halves of b, and row-major c.
struct PackedA {
  alignas(64) std::uint32_t pack[4][32];
};
struct PackedB {
  alignas(64) std::uint32_t pack[2][32];
};
struct PackedC {
  alignas(64) float value[16][8];
  // The two neighbouring values of a lane in the upper (half 0) or lower eight rows.
  float* pair(int half, int lane) { return value[8 * half + lane / 4] + 2 * (lane % 4); }
};

// c[t] += a b[t] for t below `tiles`, as `unit` would compute it. Element is Fp16 or Bf16.
//
// Subnormal operands and results are kept. Where an operand is not finite, or an infinity and its
// opposite meet, an element is the infinity or NaN that IEEE addition of the same terms gives; NaN
// payloads and signs carry no meaning.
template <class Element>
void multiply_accumulate(const MatrixUnit& unit, const PackedA& a, const PackedB* b, PackedC* c,
                         int tiles);

}  // namespace attest
