// upward.hpp - binary64 arithmetic on numbers >= 0 whose results are never too small.
//
// Single operations take the next larger neighbour of the rounded result. Long sums are added up as
// the hardware does and enlarged once, which is faster and as rigorous: error-analysis.md, Lemma 3.
// No rounding mode is switched, since compilers move operations across such switches.
// Requires everywhere: arguments >= 0, not NaN. Infinity is a bound like any other.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/tensor.hpp"

namespace attest {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kSmallest = 0x1p-1074;  // of binary64

[[nodiscard]] inline double next_up(double x) {
  return x == kInfinity ? x : std::bit_cast<double>(std::bit_cast<std::uint64_t>(x + 0.0) + 1);
}

[[nodiscard]] inline double sum_up(double a, double b) {
  return a == 0 ? b : b == 0 ? a : next_up(a + b);
}

[[nodiscard]] inline double product_up(double a, double b) {
  return a == 0 || b == 0 ? 0 : next_up(a * b);
}

// Requires: b > 0.
[[nodiscard]] inline double quotient_up(double a, double b) {
  return a == 0 ? 0 : a == kInfinity || b == kInfinity ? a : next_up(a / b);
}

// a - b from below, but not below 0.
[[nodiscard]] inline double difference_down(double a, double b) {
  const double difference = a - b;
  return difference > 0 ? std::nextafter(difference, 0.0) : 0;
}

// An upper bound of the exact value behind `computed`, in which no term went through more than
// `roundings` operations and at most `underflows` products may have lost digits below 2^-1022.
// NaN, which only 0 * infinity can have caused, becomes infinity.
[[nodiscard]] inline double inflate(double computed, Index roundings, Index underflows = 0) {
  if (!(computed < kInfinity)) return kInfinity;
  // (1 - 2^-53)^-n <= 1 + (4/3) n 2^-53 for n <= 2^50; the rest of 2 (n + 4) 2^-53 pays for this
  // line's own two roundings.
  const double enlarged = computed * (1 + static_cast<double>(roundings + 4) * 0x1p-52);
  if (underflows == 0) return enlarged;
  return sum_up(enlarged, static_cast<double>(underflows) * kSmallest);
}

}  // namespace attest
