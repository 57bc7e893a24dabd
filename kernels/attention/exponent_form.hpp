// exponent_form.hpp - how exponents of two come from scores and a running maximum.
//
// x is an unscaled score, c = scale * log2(e). A framed score is what maxima are taken of.
#pragma once

#include "core/numerics.hpp"
#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"
#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <Exponent kForm>
struct ExponentForm {
  float c;

  ATTEST_DEVICE float framed(float x) const {
    if constexpr (kForm == Exponent::scaled_max) {
      return x * c;
    } else {
      return x;
    }
  }
  // The exponent of two of a weight, y its framed score.
  ATTEST_DEVICE float of_weight(float y, float m) const {
    if constexpr (kForm == Exponent::difference_first) {
      return (y - m) * c;
    } else if constexpr (kForm == Exponent::scaled_max) {
      return y - m;
    } else if constexpr (kForm == Exponent::product_first) {
      return y * c - m * c;
    } else {
      return multiply_add(y, c, -(m * c));
    }
  }
  // The exponent of two of what is left of sums when the maximum rises.
  ATTEST_DEVICE float of_rescale(float m_old, float m_new) const {
    if constexpr (kForm == Exponent::scaled_max) {
      return m_old - m_new;
    } else {
      return (m_old - m_new) * c;
    }
  }
  // The maximum as a scaled score in natural units, for the LSE.
  ATTEST_DEVICE float unframed(float m, float scale) const {
    if constexpr (kForm == Exponent::scaled_max) {
      return m * 0.693147181f;  // ln 2
    } else {
      return m * scale;
    }
  }
};

// The machine's own functions, or polynomials with the same bits on every machine.
template <bool kApproximate>
ATTEST_DEVICE float exp2_by(float x) {
  if constexpr (kApproximate) {
    return exp2_approx(x);
  } else {
    return exp2_poly(x);
  }
}
template <bool kApproximate>
ATTEST_DEVICE float log_by(float x) {
  if constexpr (kApproximate) {
    return log_approx(x);
  } else {
    return log_poly(x);
  }
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
