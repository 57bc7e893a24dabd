// log_poly.hpp - the natural logarithm with the same bits on every machine.
//
// The companion of exp2_poly.hpp for the LSE: additions and fused multiply-adds in binary32 only,
// and an error that is small relative to log(x) even near x = 1, which is what a declaration of the
// LSE's logarithm needs. It declares log=kLogPolyError.
//
// Its error is docs/error-analysis.md, Lemma 8, and is proved by tests over all arguments.
#pragma once

#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// |log_poly(x) - log(x)| <= kLogPolyError |log(x)| for every finite x > 0: 1.55 u (0.92 ulp).
constexpr double kLogPolyError = 1.55 * 0x1p-24;

// log(x), subnormal arguments included. Exactly 0 at 1; -inf at zeros of either sign, +inf at +inf,
// NaN for negative arguments and for NaN.
ATTEST_DEVICE float log_poly(float x) {
  constexpr std::int32_t kInfinity = 0x7f800000, kMinusInfinity = -0x00800000, kNan = 0x7fc00000;
  constexpr std::uint32_t kTwoThirds = 0x3f2aaaab;
  // x = 2^k m with m in [2/3, 4/3), so that log(m) near 1 is not what is left of a difference.
  const bool subnormal = x < 0x1p-126f;
  const float lifted = x * (subnormal ? 0x1p23f : 1.0f);
  const std::uint32_t bits = static_cast<std::uint32_t>(bits_of_float(lifted));
  const std::int32_t whole = static_cast<std::int32_t>(bits - kTwoThirds) >> 23;
  const std::uint32_t fraction = bits - (static_cast<std::uint32_t>(whole) << 23);
  const float k = static_cast<float>(whole - (subnormal ? 23 : 0));
  const float f = float_of_bits(static_cast<std::int32_t>(fraction)) - 1.0f;  // exact

  // log(m) = f + f^2 curve(f): minimax for the error relative to log(m) (Remez, 2^-30.5), rounded.
  float curve = 0x1.f221ccp-4f;
  curve = multiply_add(curve, f, -0x1.0af50ap-3f);
  curve = multiply_add(curve, f, 0x1.b6b05ep-4f);
  curve = multiply_add(curve, f, -0x1.f1720ap-4f);
  curve = multiply_add(curve, f, 0x1.250bb8p-3f);
  curve = multiply_add(curve, f, -0x1.55b1d0p-3f);
  curve = multiply_add(curve, f, 0x1.99968cp-3f);
  curve = multiply_add(curve, f, -0x1.fffe28p-3f);
  curve = multiply_add(curve, f, 0x1.555558p-2f);
  curve = multiply_add(curve, f, -0.5f);

  // k ln2 + f: the product is exact, since kLn2High has 15 bits, and Fast2Sum keeps the sum's
  // error.
  constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;
  const float distance = k * kLn2High;
  const float high = distance + f;
  const float low = multiply_add(k, kLn2Low, f - (high - distance));
  const float result = high + multiply_add(curve, f * f, low);
  if (x < 0.0f) return float_of_bits(kNan);
  if (x == 0.0f) return float_of_bits(kMinusInfinity);
  return x < float_of_bits(kInfinity) ? result : x;
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
