// exp2_by_series.hpp - 2^x in binary64 with a proved error, and correctly rounded to binary32.
//
// exp2_by_series(x), |x| <= 1000: with x = n + f, |f| <= 1/2 exactly, 2^f is the Taylor series in
// f ln2 up to its 14th power. What is cut off is below 2^-62. A coefficient errs by 2^-53 of
// itself, a term meets a rounding for each of its k factors and one more: together less than (0.42
// + 0.50 + 1.42) 2^-53, the sum being at least 0.70: relatively below 2^-51 (kSeriesError). Scaling
// by 2^n is exact. No arithmetic is shared with what it judges.
#pragma once

#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace attest {

constexpr double kSeriesError = 0x1p-51;

constexpr std::array<double, 15> exp2_coefficients() {
  std::array<double, 15> c{};
  long double term = 1;
  for (int k = 0; k < 15; ++k) {
    c[static_cast<std::size_t>(k)] = static_cast<double>(term);
    term = term * std::numbers::ln2_v<long double> / (k + 1);
  }
  return c;
}

inline double exp2_by_series(double x) {
  constexpr std::array<double, 15> c = exp2_coefficients();
  constexpr double kInteger = 0x1.8p52;
  const double shifted = x + kInteger;
  const double f = x - (shifted - kInteger);
  double sum = c[14];
#pragma GCC unroll 14  // before the loop around it is made into vectors
  for (std::size_t k = 14; k-- > 0;) sum = std::fma(sum, f, c[k]);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52));
}

inline float exp2_by_mpfr(float x) {
  mpfr_t power;
  mpfr_init2(power, 200);
  mpfr_set_flt(power, x, MPFR_RNDN);
  mpfr_exp2(power, power, MPFR_RNDN);
  const float rounded = mpfr_get_flt(power, MPFR_RNDN);
  mpfr_clear(power);
  return rounded;
}

// 2^x rounded to nearest, by Ziv's test: where the ends of the series' error round differently,
// multiprecision decides. Requires |x| <= 1000.
inline float exp2_rounded(float x) {
  const double power = exp2_by_series(x);
  const auto low = static_cast<float>(power * (1 - 2 * kSeriesError));
  const auto high = static_cast<float>(power * (1 + 2 * kSeriesError));
  return low == high ? low : exp2_by_mpfr(x);
}

}  // namespace attest
