// weights.hpp - the weights exp(s_j - m^) of one row, their sum, and what is proved about both.
#pragma once

#include <algorithm>
#include <vector>

#include "oracle/score_row.hpp"

namespace attest {

// Above this Lambda a row has no numbers, only hulls.
inline constexpr double kLargestLogError = 0.125;

// At least e^x - 1. Requires: 0 <= x <= 1.
[[nodiscard]] inline double growth_up(double x) { return sum_up(x, product_up(x, x)); }

// The shift m^ is the largest computed score, a machine number: subtracting it is no error, since
// the common factor exp(-m^) cancels in O and is added back in LSE. W_j = exp(s_j - m^).
template <unsigned Digits>
struct Weights {
  std::vector<Real<Digits>> w;
  std::vector<Real<Digits>> z;      // s^_j - m^, rounded
  std::vector<unsigned char> kept;  // per key; the others are too small to matter (Lemma 2)
  Index kept_count = 0;
  double log_error = 0;    // Lambda: |log w_j - log W_j| <= Lambda for every kept key
  double shift_error = 0;  // at least |m^ - m|
  double relative = 0;     // t: |sum - exact| <= t exact, and likewise termwise for sums w_j v_j
  Real<Digits> sum;        // of the kept weights
};

// error-analysis.md, Lemma 2: z < -2^20 and a score radius of at most |z| / 4 give
// s_j - m^ <= -2^19. Such keys together carry less than 2^-700000 of a row whose Lambda is at most
// 1/8, so that 2^-1074 covers their effect on O and LSE, even where V is the largest binary64.
template <unsigned Digits>
[[nodiscard]] bool is_negligible(const Real<Digits>& z, double radius) {
  return mpfr_cmp_si(raw(z), -(1L << 20)) < 0 && radius <= -to_double(z, MPFR_RNDU) / 4;
}

// error-analysis.md, Theorem 2: log w_j - (s_j - m^) collects the score's error, one rounding of
// the difference, u |z_j|, and one of the exponential, u / (1 - u).
template <unsigned Digits>
[[nodiscard]] double weight_log_error(const Real<Digits>& z, double radius) {
  // Beyond the range where exp is sure not to underflow nothing is known.
  if (mpfr_cmp_si(raw(z), -(1L << 28)) < 0) return kInfinity;
  const double u = gamma<Digits>(1);
  return sum_up(radius, sum_up(product_up(u, -to_double(z, MPFR_RNDD)), u));
}

template <unsigned Digits>
[[nodiscard]] Weights<Digits> weigh(const ScoreRow<Digits>& scores) {
  const std::size_t count = scores.s.size();
  Weights<Digits> weights;
  weights.w.resize(count);
  weights.z.resize(count);
  weights.kept.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    Real<Digits>& z = weights.z[n];
    mpfr_sub(raw(z), raw(scores.s[n]), raw(scores.s[scores.argmax]), MPFR_RNDN);
    if (is_negligible(z, scores.radius[n])) continue;
    weights.kept[n] = 1;
    ++weights.kept_count;
    weights.log_error = std::max(weights.log_error, weight_log_error(z, scores.radius[n]));
    weights.shift_error = std::max(weights.shift_error, scores.radius[n]);
    mpfr_exp(raw(weights.w[n]), raw(z), MPFR_RNDN);
    mpfr_add(raw(weights.sum), raw(weights.sum), raw(weights.w[n]), MPFR_RNDN);
  }
  if (!(weights.log_error <= kLargestLogError)) {
    // Then the proof that negligible keys are below the maximum fails as well.
    weights.shift_error = *std::max_element(scores.radius.begin(), scores.radius.end());
    return weights;
  }
  // e^Lambda (1 + gamma_n) - 1: a sum of n products w_j v_j makes n roundings of each term at most.
  const double growth = growth_up(weights.log_error);
  weights.relative =
      sum_up(growth, product_up(gamma<Digits>(weights.kept_count), sum_up(1, growth)));
  return weights;
}

}  // namespace attest
