// probabilities.hpp - P_ij = exp(s_ij - L_i) of one row in multiprecision, with the exact L_i or a
// stored one, and what is proved about it.
#pragma once

#include <algorithm>
#include <vector>

#include "oracle/outputs.hpp"
#include "oracle/pair_magnitudes.hpp"

namespace attest {

// A stored LSE that lies further than this below the largest score gives no useful P.
inline constexpr double kLargestShift = 700;

template <unsigned Digits>
struct Probabilities {
  bool bounded = true;  // false: nothing else here means anything
  std::vector<Real<Digits>> p;
  std::vector<double> bound;    // at least p[n] and the exact P
  std::vector<double> error;    // at least their difference
  std::vector<double> abs_log;  // at least |s - L|
};

// Bounds of p. The exact P is at most p (1 + growth), and within `relative` of that bound from p.
template <unsigned Digits>
void bound_probabilities(const Weights<Digits>& weights, double relative, double growth,
                         Probabilities<Digits>& result) {
  Widener<Digits> widen;
  Real<Digits> upper;
  for (std::size_t n = 0; n < result.p.size(); ++n) {
    if (weights.kept[n] == 0) {
      result.bound.push_back(kSmallest);
      result.error.push_back(kLeastError);
      continue;
    }
    mpfr_mul(raw(upper), raw(result.p[n]), widen(growth), MPFR_RNDU);
    mpfr_add(raw(upper), raw(upper), raw(result.p[n]), MPFR_RNDU);
    result.bound.push_back(to_double(upper, MPFR_RNDU));
    result.error.push_back(lasting(product_up(relative, result.bound.back())));
  }
}

// error-analysis.md, Lemma 10: with both sums of Theorem 2 within t, p = fl(w / l^) is within
// 2t / (1 - t) of the exact P, relatively. A single key has p = P = 1.
template <unsigned Digits>
[[nodiscard]] Probabilities<Digits> normalise(const Weights<Digits>& weights,
                                              const RowNumbers& numbers) {
  const std::size_t count = weights.w.size();
  Probabilities<Digits> result;
  result.p.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    if (weights.kept[n] == 0) continue;
    mpfr_div(raw(result.p[n]), raw(weights.w[n]), raw(weights.sum), MPFR_RNDN);
  }
  const double log_sum = next_up(next_up(std::log(numbers.sum_exp.hi)));
  for (std::size_t n = 0; n < count; ++n) {
    result.abs_log.push_back(count == 1 ? 0 : sum_up(numbers.gap[n], log_sum));
  }
  if (count == 1) {
    bound_probabilities(weights, 0, 0, result);
    return result;
  }
  const double t = weights.relative;
  const double relative = sum_up(quotient_up(2 * t, difference_down(1, t)), kSmallest);
  const double growth = quotient_up(relative, difference_down(1, relative));
  bound_probabilities(weights, relative, growth, result);
  return result;
}

// error-analysis.md, Lemma 10: one factor fl(exp(fl(m^ - L))) turns weights into P, since the
// shift m^ is a machine number. Its log-error is u |m^ - L| + 2u, and Lambda is the weight's.
template <unsigned Digits>
[[nodiscard]] Probabilities<Digits> shift_to_stored(const ScoreRow<Digits>& scores,
                                                    const Weights<Digits>& weights, double lse) {
  const std::size_t count = weights.w.size();
  Probabilities<Digits> result;
  result.p.resize(count);
  Widener<Digits> widen;
  Real<Digits> shift;
  mpfr_sub(raw(shift), raw(scores.s[scores.argmax]), widen(lse), MPFR_RNDN);
  result.bounded = mpfr_cmp_d(raw(shift), kLargestShift) <= 0;
  if (!result.bounded) return result;
  const double u = gamma<Digits>(1);
  Real<Digits> gap;
  for (std::size_t n = 0; n < count; ++n) {
    mpfr_add(raw(gap), raw(weights.z[n]), raw(shift), MPFR_RNDN);
    const double rounding = product_up(3 * u, sum_up(std::fabs(to_double(gap, MPFR_RNDA)),
                                                     std::fabs(to_double(shift, MPFR_RNDA))));
    result.abs_log.push_back(
        sum_up(std::fabs(to_double(gap, MPFR_RNDA)), sum_up(rounding, scores.radius[n])));
  }
  if (mpfr_cmp_si(raw(shift), -(1L << 20)) < 0) {  // every P is below exp(-2^19)
    result.bound.assign(count, kSmallest);
    result.error.assign(count, kLeastError);
    return result;
  }
  Real<Digits> factor;
  mpfr_exp(raw(factor), raw(shift), MPFR_RNDN);
  for (std::size_t n = 0; n < count; ++n) {
    if (weights.kept[n] == 0) continue;
    mpfr_mul(raw(result.p[n]), raw(weights.w[n]), raw(factor), MPFR_RNDN);
  }
  double log_error = product_up(u, std::fabs(to_double(shift, MPFR_RNDA)));
  log_error = sum_up(weights.log_error, sum_up(log_error, 2 * u));
  const double growth = growth_up(log_error);
  bound_probabilities(weights, growth, growth, result);
  return result;
}

}  // namespace attest
