// replay_emulation.hpp - one row of a kernel in binary32, step by step as a schedule declares it,
// with exponentials that err by as much as it admits.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "core/case.hpp"
#include "core/numerics.hpp"

namespace attest {

struct EmulatedRow {
  std::vector<float> p;         // per key, in the frame of its tile, before it is rounded
  std::vector<double> frame;    // per key: that frame's maximum, scaled, exactly
  std::vector<float> quotient;  // per column of V: O before its store
};

class RowEmulation {
 public:
  // `declared`: exponent, exp2, p_format, p_truncated, l_from and tile_k are followed. The errors
  // of exp2 are drawn, or have one sign in a tile and the other in the next.
  RowEmulation(const Problem& p, const Numerics& declared, bool one_sign, std::uint64_t seed)
      : p_(p),
        n_(declared),
        one_sign_(one_sign),
        c_(static_cast<float>(double{p.scale} * std::numbers::log2e)),
        engine_(seed) {}

  // The first row, which sees every key.
  EmulatedRow run(const Inputs& inputs) {
    EmulatedRow row;
    std::vector<float> acc(static_cast<std::size_t>(p_.d_v));
    float m = -INFINITY;
    float l = 0;
    for (Index first = 0; first < p_.n_k; first += *n_.tile_k) {
      const std::vector<float> x = framed_scores(inputs, first);
      const float old = m;
      m = std::max(m, *std::ranges::max_element(x));
      sign_ = -sign_;
      const float alpha = exp2(of_rescale(old, m));
      l = l * alpha;
      for (float& value : acc) value = value * alpha;
      for (std::size_t n = 0; n < x.size(); ++n) {
        const float p = exp2(of_weight(x[n], m));
        const float stored = store(p);
        l = l + (n_.l_from == LFrom::rounded ? stored : p);
        for (Index k = 0; k < p_.d_v; ++k) {
          float& value = acc[static_cast<std::size_t>(k)];
          value = std::fma(stored, v(inputs, first + static_cast<Index>(n), k), value);
        }
        row.p.push_back(p);
        row.frame.push_back(scaled(m));
      }
    }
    for (const float value : acc) row.quotient.push_back(value / l);
    return row;
  }

 private:
  std::vector<float> framed_scores(const Inputs& inputs, Index first) const {
    std::vector<float> x;
    for (Index j = first; j < std::min(p_.n_k, first + *n_.tile_k); ++j) {
      float dot = 0;
      for (Index c = 0; c < p_.d_qk; ++c) {
        dot = std::fma(static_cast<float>(inputs.q.view().value(0, 0, 0, c)),
                       static_cast<float>(inputs.k.view().value(0, 0, j, c)), dot);
      }
      x.push_back(n_.exponent == Exponent::scaled_max ? dot * c_ : dot);
    }
    return x;
  }

  [[nodiscard]] float of_weight(float x, float m) const {
    switch (*n_.exponent) {
      case Exponent::difference_first: return (x - m) * c_;
      case Exponent::scaled_max: return x - m;
      case Exponent::product_first: return x * c_ - m * c_;
      case Exponent::fused: return std::fma(x, c_, -(m * c_));
    }
    return NAN;
  }
  [[nodiscard]] float of_rescale(float old, float m) const {
    return n_.exponent == Exponent::scaled_max ? old - m : (old - m) * c_;
  }
  // Without c's own error, which acts on distances only.
  [[nodiscard]] double scaled(float m) const {
    return n_.exponent == Exponent::scaled_max ? double{m} / c_ * double{p_.scale}
                                               : double{m} * p_.scale;
  }

  // Short of the declared error by more than the conversion rounds.
  float exp2(float z) {
    const double most = *n_.exp2 - 0x1.1p-24;
    const double drawn = std::uniform_real_distribution<double>(-1, 1)(engine_);
    const double error = most * (one_sign_ ? sign_ : drawn);
    return static_cast<float>(std::exp2(double{z}) * (1 + error));
  }
  [[nodiscard]] float store(float p) const {
    if (n_.p_format == Format::f32) return p;
    const Rounding rounding = *n_.p_truncated ? Rounding::toward_zero : Rounding::nearest_even;
    return static_cast<float>(round_to_format(*n_.p_format, p, rounding));
  }
  static float v(const Inputs& inputs, Index j, Index k) {
    return static_cast<float>(inputs.v.view().value(0, 0, j, k));
  }

  const Problem& p_;
  Numerics n_;
  bool one_sign_;
  float c_;
  std::mt19937_64 engine_;
  double sign_ = 1;
};

}  // namespace attest
