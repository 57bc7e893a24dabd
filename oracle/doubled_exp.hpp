// doubled_exp.hpp - exponential and logarithm of doubled numbers, with proved errors.
#pragma once

#include <cmath>

#include "oracle/doubled.hpp"

namespace attest {

// Arguments of exp_of may not lie below this: results stay normal, and so do their last digits.
inline constexpr double kLeastDoubledExponent = -640;

// What exp_of(z) may be off by in the logarithm: error-analysis.md, Lemma 27. `distance` is at
// least |z|.
[[nodiscard]] inline double doubled_exp_log_error(double distance) {
  return (24 + 2 * distance) * kUnitSquared * (1 + 0x1p-40);
}

// 1 / k! for k = 0, 1, ..., 13.
inline constexpr Doubled<double> kDoubledInverseFactorial[] = {
    {1.0, 0.0},
    {1.0, 0.0},
    {0.5, 0.0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
    {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
};

// Likewise for k = 14, ..., 22, in binary64.
inline constexpr double kLastInverseFactorial[] = {
    0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-41, 0x1.ae7f3e733b81fp-45,
    0x1.952c77030ad4ap-49, 0x1.6827863b97d97p-53, 0x1.2f49b46814157p-57,
    0x1.e542ba4020225p-62, 0x1.71b8ef6dcf572p-66, 0x1.0ce396db7f853p-70};

// e^z for -640 <= z <= 0.
//
// z = n ln 2 + r with ln 2 in three parts, of which the first two are so short that n times them
// is exact; a Taylor polynomial in the leading part of r, its last terms in binary64; a factor for
// the rest of r; and n added to the exponents.
template <class X>
ATTEST_LANES_INLINE Doubled<X> exp_of(const Doubled<X>& z) {
  constexpr double kLog2e = 0x1.71547652b82fep+0;
  constexpr double kShift = 0x1.8p+52;  // adding it leaves the nearest integer in the last bits
  constexpr double kLn2[] = {0x1.62e42fefa38p-1, 0x1.ef35793c76p-45, 0x1.cc01f97b57a08p-87};
  const X shifted = z.hi * kLog2e + kShift;
  const X n = shifted - kShift;
  const Doubled<X> first = two_sum(z.hi, X(n * -kLn2[0]));
  const Doubled<X> second = two_sum(first.hi, X(n * -kLn2[1]));
  const X rest = (first.lo + second.lo) + (z.lo - n * kLn2[2]);
  const Doubled<X> r = two_sum(second.hi, rest);

  X last = r.hi * kLastInverseFactorial[8] + kLastInverseFactorial[7];
  for (int k = 6; k >= 0; --k) last = last * r.hi + kLastInverseFactorial[k];
  const Doubled<X> r_halves = halves_of(r.hi);
  Doubled<X> p{last, X{}};
  for (int k = 13; k >= 0; --k) {
    const Doubled<X> high = two_product(p.hi, halves_of(p.hi), r.hi, r_halves);
    const Doubled<X> sum = quick_two_sum(X(X{} + kDoubledInverseFactorial[k].hi), high.hi);
    const X low = high.lo + p.lo * r.hi;
    p = quick_two_sum(sum.hi, X(sum.lo + (low + kDoubledInverseFactorial[k].lo)));
  }
  p = quick_two_sum(p.hi, X(p.lo + p.hi * r.lo));
  // 2^n: adding n to the exponent of 1.
  const X power = value_of((bits_of(shifted) << 52) + bits_of(X(X{} + 1.0)));
  return {p.hi * power, p.lo * power};
}

// What log_of(x) may be off by, absolutely: error-analysis.md, Lemma 27.
[[nodiscard]] inline double doubled_log_error(double log) {
  return (48 + 20 * log) * kUnitSquared * (1 + 0x1p-40);
}

// log x for 1 <= x <= 2^900: one step of Newton's from the library's logarithm in binary64.
[[nodiscard]] inline Doubled<double> log_of(const Doubled<double>& x) {
  const double first = std::log(x.hi);
  const Doubled<double> near_one = product_of(x, exp_of(Doubled<double>{-first, 0}));
  const double beyond = (near_one.hi - 1) + near_one.lo;
  return two_sum(first, beyond - beyond * beyond / 2);
}

}  // namespace attest
