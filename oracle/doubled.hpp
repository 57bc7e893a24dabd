// doubled.hpp - a number as the unevaluated sum of two binary64, twice the digits of one.
//
// Everything rests on transformations without error: the rounding error of a sum or a product is a
// binary64 itself, and a few more operations yield it (error-analysis.md, Lemma 25). Products are
// split into halves, not fused: the bits are then the same on every machine and in every lane, and
// no machine has to emulate a fused operation.
// Requires everywhere: magnitudes below 2^900, and products that are 0 or above 2^-900, unless a
// result says what less costs.
#pragma once

#include "oracle/lanes.hpp"

namespace attest {

// The unit roundoff of binary64, and its square.
inline constexpr double kUnit = 0x1p-53;
inline constexpr double kUnitSquared = 0x1p-106;

// hi + lo. Normal form: lo is at most half of the last place of hi.
template <class X>
struct Doubled {
  X hi;
  X lo;
};

// a + b exactly, in normal form (Knuth).
template <class X>
ATTEST_LANES_INLINE Doubled<X> two_sum(const X& a, const X& b) {
  const X sum = a + b;
  const X b_rounded = sum - a;
  return {sum, (a - (sum - b_rounded)) + (b - b_rounded)};
}

// The same where |a| >= |b| or a = 0 (Dekker).
template <class X>
ATTEST_LANES_INLINE Doubled<X> quick_two_sum(const X& a, const X& b) {
  const X sum = a + b;
  return {sum, b - (sum - a)};
}

// a as a sum of two numbers of at most 26 bits (Veltkamp).
template <class X>
ATTEST_LANES_INLINE Doubled<X> halves_of(const X& a) {
  const X shifted = a * 0x1.0000002p+27;
  const X high = shifted - (shifted - a);
  return {high, a - high};
}

// a b exactly, in normal form, by the halves of both (Dekker).
template <class X>
ATTEST_LANES_INLINE Doubled<X> two_product(const X& a, const Doubled<X>& a_halves, const X& b,
                                           const Doubled<X>& b_halves) {
  const X product = a * b;
  X error = a_halves.hi * b_halves.hi - product;
  error = (error + a_halves.hi * b_halves.lo) + a_halves.lo * b_halves.hi;
  return {product, error + a_halves.lo * b_halves.lo};
}

template <class X>
ATTEST_LANES_INLINE Doubled<X> two_product(const X& a, const X& b) {
  return two_product(a, halves_of(a), b, halves_of(b));
}

// error-analysis.md, Lemma 26: within 5 u^2 (|a| + |b|) of a + b, and exact where neither has a
// second part.
template <class X>
ATTEST_LANES_INLINE Doubled<X> sum_of(const Doubled<X>& a, const Doubled<X>& b) {
  const Doubled<X> high = two_sum(a.hi, b.hi);
  const Doubled<X> low = two_sum(a.lo, b.lo);
  return two_sum(high.hi, X((high.lo + low.hi) + low.lo));
}

template <class X>
ATTEST_LANES_INLINE Doubled<X> difference_of(const Doubled<X>& a, const Doubled<X>& b) {
  return sum_of(a, Doubled<X>{-b.hi, -b.lo});
}

// error-analysis.md, Lemma 26: within 9 u^2 |a b| of a b.
template <class X>
ATTEST_LANES_INLINE Doubled<X> product_of(const Doubled<X>& a, const Doubled<X>& b) {
  const Doubled<X> high = two_product(a.hi, b.hi);
  return quick_two_sum(high.hi, X(high.lo + (a.hi * b.lo + a.lo * b.hi)));
}

// error-analysis.md, Lemma 26: within 13 u^2 |a / b| of a / b.
template <class X>
ATTEST_LANES_INLINE Doubled<X> quotient_of(const Doubled<X>& a, const Doubled<X>& b) {
  const X quotient = a.hi / b.hi;
  const Doubled<X> back = two_product(quotient, b.hi);
  const X rest = ((a.hi - back.hi) - back.lo) + (a.lo - quotient * b.lo);
  return quick_two_sum(quotient, X(rest / b.hi));
}

// Of numbers in normal form.
[[nodiscard]] inline bool operator<(const Doubled<double>& a, const Doubled<double>& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

}  // namespace attest
