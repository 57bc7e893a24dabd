// log_by_series.hpp - log(x) in binary64 with a proved error.
//
// x = 2^k m with m in [3/4, 3/2), and log(m) = 2 artanh(s), s = (m - 1) / (m + 1), |s| <= 1/5, by
// its series up to s^23. What is cut off is relatively below 2^-60. For m of 24 bits only the
// quotient rounds in s; that, the last product and the last sum, s^2 P added to 1 with its own few
// roundings at a weight below 1/70 each, stay relatively below 2^-51. Where k != 0, |log x| >= 0.28
// and one fused multiply-add brings k ln2 in: log m counts at most 1.41 times, ln2's own rounding
// (2^-54) 2.41 times, and one rounding more: relatively below 2^-50 (kLogSeriesError).
#pragma once

#include <mpfr.h>

#include <cmath>
#include <numbers>

namespace attest {

constexpr double kLogSeriesError = 0x1p-50;

// log(m). Requires 3/4 <= m < 3/2, of at most 24 bits.
inline double log_of_fraction(double m) {
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double sum = 1.0 / 23;
#pragma GCC unroll 10
  for (int n = 21; n >= 3; n -= 2) sum = std::fma(sum, z, 1.0 / n);
  return 2 * s * std::fma(sum, z, 1.0);
}

inline double log_by_series(int k, double log_of_m) {
  return std::fma(k, std::numbers::ln2, log_of_m);
}

// For any finite x > 0 of at most 24 bits.
inline double log_by_series(double x) {
  int k = 0;
  double m = std::frexp(x, &k);  // in [1/2, 1)
  if (m < 0.75) {
    m *= 2;
    --k;
  }
  return log_by_series(k, log_of_fraction(m));
}

}  // namespace attest
