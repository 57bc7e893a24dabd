// lanes.hpp - eight binary64 side by side, and their exponential.
//
// Every lane rounds like a scalar, and nothing is fused or reordered: the bits are the same on
// every machine, and only the speed depends on how wide its registers are.
#pragma once

#include <bit>
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

// A double is one lane, so that what is written for lanes does the ends of a range, too.
ATTEST_LANES_INLINE void load(const double* from, double& x) { x = *from; }
ATTEST_LANES_INLINE void load(const double* from, Lanes& x) { std::memcpy(&x, from, sizeof x); }
ATTEST_LANES_INLINE void load(const float* from, double& x) { x = static_cast<double>(*from); }
ATTEST_LANES_INLINE void load(const float* from, Lanes& x) {
  FloatLanes narrow;
  std::memcpy(&narrow, from, sizeof narrow);
  x = __builtin_convertvector(narrow, Lanes);
}

ATTEST_LANES_INLINE void store(double x, double* to) { *to = x; }
ATTEST_LANES_INLINE void store(const Lanes& x, double* to) { std::memcpy(to, &x, sizeof x); }
ATTEST_LANES_INLINE void store(double x, float* to) { *to = static_cast<float>(x); }
ATTEST_LANES_INLINE void store(const Lanes& x, float* to) {
  const FloatLanes narrow = __builtin_convertvector(x, FloatLanes);
  std::memcpy(to, &narrow, sizeof narrow);
}

ATTEST_LANES_INLINE std::int64_t bits_of(double x) { return std::bit_cast<std::int64_t>(x); }
ATTEST_LANES_INLINE LaneBits bits_of(const Lanes& x) { return reinterpret_cast<LaneBits>(x); }
ATTEST_LANES_INLINE double value_of(std::int64_t x) { return std::bit_cast<double>(x); }
ATTEST_LANES_INLINE Lanes value_of(const LaneBits& x) { return reinterpret_cast<Lanes>(x); }

template <class X>
ATTEST_LANES_INLINE X magnitude(const X& x) {
  return value_of(bits_of(x) & INT64_MAX);
}

// All ones where x is not 0.
template <class X>
ATTEST_LANES_INLINE auto nonzero_mask(const X& x) {
  return -bits_of(magnitude(x)) >> 63;
}

// The larger of two, by the sign of their difference: compilers take comparisons of whole lanes
// apart.
ATTEST_LANES_INLINE double larger(double a, double b) { return a > b ? a : b; }
ATTEST_LANES_INLINE Lanes larger(const Lanes& a, const Lanes& b) {
  const LaneBits below = bits_of(a - b) >> 63;
  return value_of((bits_of(a) & ~below) | (bits_of(b) & below));
}

ATTEST_LANES_INLINE double sum_of(double x) { return x; }
ATTEST_LANES_INLINE double sum_of(const Lanes& x) {
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}
ATTEST_LANES_INLINE double largest_of(double x) { return x; }
ATTEST_LANES_INLINE double largest_of(const Lanes& x) {
  double result = x[0];
  for (int lane = 1; lane < kLanes; ++lane) result = larger(result, x[lane]);
  return result;
}

// Smaller arguments of exp_of count as this one: the result stays normal.
inline constexpr double kLeastExponent = -708;
// What exp_of may be off by in the logarithm: error-analysis.md, Lemma 17.
inline constexpr double kExpLogError = 0x1.01p-51;

// e^max(x, -708) for x <= 708.
//
// x = n ln 2 + r with ln 2 in two parts, the first so short that n times it is exact; a Taylor
// polynomial of degree 13 in |r| <= 0.3466; and n added to the exponent.
template <class X>
ATTEST_LANES_INLINE X exp_of(const X& any) {
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
  const X x = larger(any, X{} + kLeastExponent);
  const X shifted = x * kLog2e + kShift;
  const X n = shifted - kShift;
  const X r = (x - n * kLn2High) - n * kLn2Low;
  X p = r * kInverseFactorial[13] + kInverseFactorial[12];
  for (int k = 11; k >= 0; --k) p = p * r + kInverseFactorial[k];
  return value_of(bits_of(p) + (bits_of(shifted) << 52));
}

}  // namespace attest
