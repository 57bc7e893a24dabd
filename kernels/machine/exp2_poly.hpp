// exp2_poly.hpp - 2^x with the same bits on every machine.
//
// The exponential of the special function unit is documented by its error, not by its bits, so a
// kernel that uses it differs between a GPU and the emulator in a way that nobody can predict. This
// one is made of additions and fused multiply-adds in binary32, which IEEE 754 rounds to the same
// bits under any compiler that does not contract: a kernel with it must agree with its emulation
// bit for bit. It declares exp2=kExp2PolyError, exp_ftz=yes.
//
// Its error is docs/error-analysis.md, Lemma 7, and is proved by tests over all arguments.
#pragma once

#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// |exp2_poly(x) - 2^x| <= kExp2PolyError 2^x wherever -126 <= x < 128. Just above a power of two
// the last rounding alone costs the roundoff u of binary32; measured, no error exceeds 0.613 ulp.
constexpr double kExp2PolyError = 0x1.00001p-24;

// 2^x. Exact at integers. Never decreasing, so 2^x <= 1 where x <= 0. Results below 2^-126 are
// flushed to +0, -inf among the arguments; from 128 on the result is +inf; NaN gives NaN.
ATTEST_DEVICE float exp2_poly(float x) {
  constexpr float kSmallest = -126.0f, kLargest = 128.0f;
  constexpr std::int32_t kInfinity = 0x7f800000;
  constexpr float kInteger = 0x1.8p23f;  // its neighbours are one apart, and its low 9 bits are 0
  const float shifted = x + kInteger;
  const float f = x - (shifted - kInteger);  // exact, within [-1/2, 1/2]

  // 2^f = 1 + f ln2 + f rest. The first two terms are added with their rounding error, or the
  // product's would cost a quarter of a unit in the last place. The coefficients are minimax for
  // the relative error (Remez, 2^-28.5), rounded to binary32 and then moved by a few units each to
  // where the largest error of the whole evaluation was least.
  constexpr float kLn2 = 0x1.62e430p-1f;
  const float high = multiply_add(f, kLn2, 1.0f);
  const float low = multiply_add(f, kLn2, 1.0f - high);
  float rest = 0x1.46bb20p-13f;
  rest = multiply_add(rest, f, 0x1.5f727ep-10f);
  rest = multiply_add(rest, f, 0x1.3b26ecp-7f);
  rest = multiply_add(rest, f, 0x1.c6ae72p-5f);
  rest = multiply_add(rest, f, 0x1.ebfbe4p-3f);
  rest = multiply_add(rest, f, 0x1.1315bep-25f);
  const float power = high + multiply_add(rest, f, low);

  // Exact: the integer goes into the exponent, which neither leaves nor enters the normal range.
  const std::uint32_t exponent = static_cast<std::uint32_t>(bits_of_float(shifted)) << 23;
  const std::uint32_t scaled = static_cast<std::uint32_t>(bits_of_float(power)) + exponent;
  if (x < kSmallest) return 0.0f;
  if (x >= kLargest) return float_of_bits(kInfinity);
  return x == x ? float_of_bits(static_cast<std::int32_t>(scaled)) : x;
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
