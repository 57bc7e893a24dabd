// exponent_form.hpp - how the plain kernel turns scores into exponents of two.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "core/contract.hpp"
#include "core/numerics.hpp"

namespace attest {

// m is a maximum of framed scores, lse a stored LSE.
struct ExponentForm {
  Exponent form;
  float scale;
  float c;  // scale * log2(e)

  [[nodiscard]] float framed(float x) const { return form == Exponent::scaled_max ? x * c : x; }

  [[nodiscard]] float of_weight(float s, float m) const {
    switch (form) {
      case Exponent::difference_first: return (s - m) * c;
      case Exponent::scaled_max: return s - m;
      case Exponent::product_first: return s * c - m * c;
      case Exponent::fused: return std::fma(s, c, -(m * c));
    }
    contract_broken("an exponent form that exists", __FILE__, __LINE__);
  }

  [[nodiscard]] float of_rescale(float m_old, float m_new) const {
    return form == Exponent::scaled_max ? m_old - m_new : (m_old - m_new) * c;
  }

  // m as a scaled score in natural units, for the LSE.
  [[nodiscard]] float unframed(float m) const {
    return form == Exponent::scaled_max ? m * std::numbers::ln2_v<float> : scale * m;
  }

  // Of the backward's P = exp(scale x - lse): no maximum, and nothing cancels any more.
  [[nodiscard]] float of_probability(float x, float lse) const {
    constexpr float kLog2e = std::numbers::log2e_v<float>;
    switch (form) {
      case Exponent::difference_first: return (x * scale - lse) * kLog2e;
      case Exponent::scaled_max:
      case Exponent::product_first: return x * c - lse * kLog2e;
      case Exponent::fused: return std::fma(x, c, -(lse * kLog2e));
    }
    contract_broken("an exponent form that exists", __FILE__, __LINE__);
  }
};

// The kernel's exp2: the fault's, and 0 for a subnormal where that is configured.
template <class Fault>
[[nodiscard]] float exp2_of(const Fault& fault, float z, bool exp_ftz) {
  const float p = fault.exp2(z);
  return exp_ftz && p < std::numeric_limits<float>::min() ? 0.0f : p;
}

}  // namespace attest
