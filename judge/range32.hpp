// range32.hpp - a binary32 number that a kernel has computed, known to lie between two.
//
// Rounding never decreases. So whoever does with both ends what the kernel declares to do, in
// binary32 like the kernel, has the ends of its result: no roundoff has to be bounded.
//
// error-analysis.md, Lemma 36.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

struct Range32 {
  float lo = 0;
  float hi = 0;

  [[nodiscard]] bool is_finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  [[nodiscard]] float largest() const { return std::max(-lo, hi); }  // magnitude
};

// Nothing is known, not even a class.
inline constexpr Range32 kAnything{-std::numeric_limits<float>::infinity(),
                                   std::numeric_limits<float>::infinity()};

// The binary32 numbers from lo to hi. Where there is none, which only a declaration that no kernel
// can keep brings about, the neighbours of both.
[[nodiscard]] inline Range32 range32(double lo, double hi) {
  constexpr float kInfinity32 = std::numeric_limits<float>::infinity();
  if (!(lo <= hi)) return kAnything;
  auto first = static_cast<float>(lo);
  auto last = static_cast<float>(hi);
  if (first < lo) first = std::nextafter(first, kInfinity32);
  if (last > hi) last = std::nextafter(last, -kInfinity32);
  return first <= last ? Range32{first, last} : Range32{last, first};
}

// fl(a - b), fl(a + b)
[[nodiscard]] inline Range32 operator-(const Range32& a, const Range32& b) {
  return {a.lo - b.hi, a.hi - b.lo};
}
[[nodiscard]] inline Range32 operator+(const Range32& a, const Range32& b) {
  return {a.lo + b.lo, a.hi + b.hi};
}

// fl(a b). Requires: a is not negative.
[[nodiscard]] inline Range32 times(const Range32& a, const Range32& b) {
  return {(b.lo < 0 ? a.hi : a.lo) * b.lo, (b.hi < 0 ? a.lo : a.hi) * b.hi};
}

}  // namespace attest
