// real.hpp - the multiprecision number of the oracle: MPFR at a precision fixed by its type.
//
// Every operation is correctly rounded to nearest unless it names a direction, so its relative
// error is at most u = 2^-P. MPFR's exponents reach 2^(2^30): the oracle keeps its arguments far
// inside, so that no operation underflows or overflows (error-analysis.md, Lemma 2).
// Inner loops call MPFR itself: the operators of Boost would make temporaries.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <boost/multiprecision/mpfr.hpp>

#include "core/enclosure.hpp"
#include "oracle/upward.hpp"

namespace attest {

template <unsigned Digits>
using Real = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

// MPFR caches constants and memory for each thread that uses it, and leaves them when the thread
// ends. From the first call on in a thread, its caches are freed with it.
inline void free_caches_with_thread() {
  struct Caches {
    ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const Caches caches;
}

template <unsigned Digits>
[[nodiscard]] mpfr_ptr raw(Real<Digits>& x) {
  return x.backend().data();
}

template <unsigned Digits>
[[nodiscard]] mpfr_srcptr raw(const Real<Digits>& x) {
  return x.backend().data();
}

template <unsigned Digits>
[[nodiscard]] int working_bits() {
  static const int bits = static_cast<int>(mpfr_get_prec(raw(Real<Digits>())));
  return bits;
}

// At least n u / (1 - 2 n u), which bounds gamma_n and gamma_n / (1 - gamma_n). Below 2^-1000 the
// unit roundoff is replaced by that, a larger number, to stay inside binary64.
template <unsigned Digits>
[[nodiscard]] double gamma(Index operations) {
  const double u = std::ldexp(1.0, -std::min(working_bits<Digits>(), 1000));
  return static_cast<double>(operations) * u * (1 + 0x1p-40);
}

// x as a binary64, rounded as named; zero comes out without sign.
template <unsigned Digits>
[[nodiscard]] double to_double(const Real<Digits>& x, mpfr_rnd_t rounding) {
  return mpfr_get_d(raw(x), rounding) + 0.0;
}

// Turns one binary64 after another into a Real, exactly and in half of mpfr_set_d's time, through
// MPFR's interface for custom allocation.
template <unsigned Digits>
class Widener {
 public:
  Widener() : value_(1) {}  // a power of two: its low limbs are zero and stay so

  [[nodiscard]] mpfr_srcptr operator()(double x) {
    constexpr int kExponentBits = 2047;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto biased = static_cast<int>(bits >> 52) & kExponentBits;
    if (biased == 0 || biased == kExponentBits) {  // zero, subnormal or not finite
      mpfr_set_d(raw(value_), x, MPFR_RNDN);
      return raw(value_);
    }
    static_assert(sizeof(mp_limb_t) == 8);
    const mpfr_prec_t precision = mpfr_get_prec(raw(value_));
    auto* limbs = static_cast<mp_limb_t*>(mpfr_custom_get_significand(raw(value_)));
    limbs[(precision - 1) / 64] = std::uint64_t{1} << 63 | bits << 11;
    const int kind = bits >> 63 != 0 ? -MPFR_REGULAR_KIND : MPFR_REGULAR_KIND;
    mpfr_custom_init_set(raw(value_), kind, biased - 1022, precision, limbs);
    return raw(value_);
  }

 private:
  Real<Digits> value_;
};

// [centre - radius, centre + radius], rounded outward.
template <unsigned Digits>
[[nodiscard]] Enclosure enclose(const Real<Digits>& centre, double radius) {
  Widener<Digits> widen;
  Real<Digits> end;
  mpfr_sub(raw(end), raw(centre), widen(radius), MPFR_RNDD);
  const double lo = to_double(end, MPFR_RNDD);
  mpfr_add(raw(end), raw(centre), widen(radius), MPFR_RNDU);
  return {lo, to_double(end, MPFR_RNDU)};
}

}  // namespace attest
