// lanes.hpp - eight binary64 side by side, and their exponential.
//
// Every lane rounds like a scalar, and nothing is fused or reordered: the bits are the same on
// every machine, and only the speed depends on how wide its registers are.
#pragma once

#include <cstdint>
#include <cstring>

// How lanes cross a call depends on the machine; here they never do, being inlined everywhere.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace attest {

inline constexpr int kLanes = 8;
using Lanes = double __attribute__((vector_size(64)));
using LaneBits = std::int64_t __attribute__((vector_size(64)));
using FloatLanes = float __attribute__((vector_size(32)));

// One clone of a function for each width of register; the machine's own is picked when it starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ATTEST_WIDEST_LANES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ATTEST_WIDEST_LANES
#endif

// What takes or gives lanes becomes part of the clone that uses it.
#define ATTEST_LANES_INLINE [[gnu::always_inline]] inline

ATTEST_LANES_INLINE Lanes load_lanes(const double* from) {
  Lanes x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

ATTEST_LANES_INLINE Lanes load_lanes(const float* from) {
  FloatLanes x;
  std::memcpy(&x, from, sizeof x);
  return __builtin_convertvector(x, Lanes);
}

ATTEST_LANES_INLINE void store_lanes(const Lanes& x, double* to) { std::memcpy(to, &x, sizeof x); }

ATTEST_LANES_INLINE void store_lanes(const Lanes& x, float* to) {
  const FloatLanes narrow = __builtin_convertvector(x, FloatLanes);
  std::memcpy(to, &narrow, sizeof narrow);
}

ATTEST_LANES_INLINE Lanes larger(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
ATTEST_LANES_INLINE Lanes smaller(const Lanes& a, const Lanes& b) { return a < b ? a : b; }
ATTEST_LANES_INLINE Lanes magnitude(const Lanes& a) {
  return reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(a) & INT64_MAX);
}

ATTEST_LANES_INLINE double sum_of(const Lanes& x) {
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}

// Below this exp is taken for 0: the least result is then normal.
inline constexpr double kLeastExponent = -708;
// What exp_of may be off by in the logarithm: error-analysis.md, Lemma 17.
inline constexpr double kExpLogError = 0x1.01p-51;

// e^x for -708 <= x <= 0, and 0 for smaller x. Other lanes hold anything.
//
// x = n ln 2 + r with ln 2 in two parts, the first so short that n times it is exact; a Taylor
// polynomial of degree 13 in |r| <= 0.3466; and n added to the exponent.
ATTEST_LANES_INLINE Lanes exp_of(const Lanes& x) {
  constexpr double kLog2e = 0x1.71547652b82fep+0;
  constexpr double kShift = 0x1.8p+52;  // adding it leaves the nearest integer in the last bits
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr double kInverseFactorial[] = {1.0,
                                          1.0,
                                          1.0 / 2,
                                          1.0 / 6,
                                          1.0 / 24,
                                          1.0 / 120,
                                          1.0 / 720,
                                          1.0 / 5040,
                                          1.0 / 40320,
                                          1.0 / 362880,
                                          1.0 / 3628800,
                                          1.0 / 39916800,
                                          1.0 / 479001600,
                                          1.0 / 6227020800};
  const Lanes shifted = x * kLog2e + kShift;
  const Lanes n = shifted - kShift;
  const Lanes r = (x - n * kLn2High) - n * kLn2Low;
  Lanes p = r * kInverseFactorial[13] + kInverseFactorial[12];
  for (int k = 11; k >= 0; --k) p = p * r + kInverseFactorial[k];
  const LaneBits scaled =
      reinterpret_cast<LaneBits>(p) + (reinterpret_cast<LaneBits>(shifted) << 52);
  return reinterpret_cast<Lanes>(scaled & (x >= kLeastExponent));
}

ATTEST_LANES_INLINE double exp_of(double x) {
  Lanes lanes = {};
  lanes[0] = x;
  return exp_of(lanes)[0];
}

}  // namespace attest
