// outputs.hpp - O and LSE of one row from its weights, each as a proved enclosure.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/hulls.hpp"
#include "oracle/weights.hpp"

namespace attest {

// pi_j = W_j / l <= (w_j / sum) (1 + t)^2; a negligible key's is below every binary64.
template <unsigned Digits>
[[nodiscard]] std::vector<double> weight_bounds(const Weights<Digits>& weights) {
  std::vector<double> pi(weights.w.size(), kSmallest);
  const double inflation = sum_up(1, weights.relative);
  const double factor = product_up(inflation, inflation);
  const double sum = to_double(weights.sum, MPFR_RNDD);
  for (std::size_t n = 0; n < pi.size(); ++n) {
    if (weights.kept[n] == 0) continue;
    pi[n] = product_up(quotient_up(to_double(weights.w[n], MPFR_RNDU), sum), factor);
  }
  return pi;
}

// l = sum over live keys of exp(s_j - m), in [1, keys]. The sum here is taken against m^ instead
// of m: a factor within exp(+-shift_error). Negligible keys hide in the upward roundings.
template <unsigned Digits>
[[nodiscard]] Enclosure enclose_sum_exp(const Weights<Digits>& weights) {
  const double shift = weights.shift_error;
  const double grown = sum_up(1, growth_up(shift));
  const double hi = product_up(
      quotient_up(to_double(weights.sum, MPFR_RNDU), difference_down(1, weights.relative)), grown);
  const double lo =
      to_double(weights.sum, MPFR_RNDD) * difference_down(1, sum_up(weights.relative, shift));
  return intersection({std::nextafter(lo, 0.0), hi}, {1, static_cast<double>(weights.w.size())});
}

// error-analysis.md, Theorem 3: L^ = fl(m^ + fl(log sum)) errs by Lambda, the sum's gamma_n / (1 -
// gamma_n), one rounding of the logarithm and one of the addition; negligible keys add 2^-1074.
template <unsigned Digits>
[[nodiscard]] Enclosure enclose_lse(const ScoreRow<Digits>& scores,
                                    const Weights<Digits>& weights) {
  const double u = gamma<Digits>(1);
  Real<Digits> lse;
  mpfr_log(raw(lse), raw(weights.sum), MPFR_RNDN);
  double radius = sum_up(weights.log_error, gamma<Digits>(weights.kept_count));
  radius = sum_up(radius, product_up(u, std::fabs(to_double(lse, MPFR_RNDA))));
  mpfr_add(raw(lse), raw(lse), raw(scores.s[scores.argmax]), MPFR_RNDN);
  radius = sum_up(radius, product_up(u, std::fabs(to_double(lse, MPFR_RNDA))));
  return enclose(lse, sum_up(radius, kSmallest));
}

// The sums N_k = sum w_j v_jk over kept keys, and sum pi_j |v_jk| from above.
template <unsigned Digits>
struct Numerators {
  std::vector<Real<Digits>> n;
  std::vector<double> sum_pi_abs_v;
};

template <unsigned Digits>
[[nodiscard]] Numerators<Digits> sum_numerators(const RowTask& task, const Weights<Digits>& weights,
                                                const std::vector<double>& pi) {
  const std::size_t columns = task.columns.size();
  Numerators<Digits> sums;
  sums.n.resize(columns);
  sums.sum_pi_abs_v.resize(columns);
  Widener<Digits> widen;
  Real<Digits> product;
  for (std::size_t n = 0; n < task.keys.size(); ++n) {
    if (weights.kept[n] == 0) continue;
    const double* v = task.head.v_row(task.keys[n]);
    for (std::size_t c = 0; c < columns; ++c) {
      const double x = v[task.columns[c]];
      mpfr_mul(raw(product), raw(weights.w[n]), widen(x), MPFR_RNDN);
      mpfr_add(raw(sums.n[c]), raw(sums.n[c]), raw(product), MPFR_RNDN);
      sums.sum_pi_abs_v[c] += pi[n] * std::fabs(x);
    }
  }
  const Index kept = weights.kept_count;
  for (double& sum : sums.sum_pi_abs_v) sum = inflate(sum, kept + 1, kept);
  return sums;
}

// error-analysis.md, Theorem 2: with numerator and denominator both within t, the rounded quotient
// errs by at most 2t / (1 - t) sum pi |v| + u |O^|; negligible keys add 2^-1074.
template <unsigned Digits>
void enclose_outputs(const RowTask& task, const Weights<Digits>& weights, RowNumbers& numbers) {
  const auto sums = sum_numerators(task, weights, numbers.pi);
  const double t = weights.relative;
  const double factor = quotient_up(2 * t, difference_down(1, t));
  const std::vector<Enclosure> hull = hulls(task);
  for (std::size_t c = 0; c < task.columns.size(); ++c) {
    Real<Digits> o;
    mpfr_div(raw(o), raw(sums.n[c]), raw(weights.sum), MPFR_RNDN);
    const double rounding = product_up(gamma<Digits>(1), std::fabs(to_double(o, MPFR_RNDA)));
    const double radius =
        sum_up(sum_up(product_up(factor, sums.sum_pi_abs_v[c]), rounding), kSmallest);
    numbers.o.push_back(intersection(enclose(o, radius), hull[c]));
    Widener<Digits> widen;
    const double hi = to_double(o, MPFR_RNDN);
    mpfr_sub(raw(o), raw(o), widen(hi), MPFR_RNDN);
    const double lo = to_double(o, MPFR_RNDN);
    // What hi + lo still lacks of O^: a rounding of lo, which may be subnormal, and one of o - hi.
    const double lacking = sum_up(product_up(0x1p-52, std::fabs(lo)), kSmallest);
    numbers.centre.push_back({hi, lo, sum_up(radius, lacking)});
  }
}

// Where Lambda is too large even at the cap: the convex hulls, and m <= LSE <= m + log(keys).
inline void enclose_by_hulls(const RowTask& task, RowNumbers& numbers) {
  const auto count = static_cast<double>(task.keys.size());
  numbers.pi.assign(task.keys.size(), 1);
  numbers.fade = numbers.running_weight = numbers.pi;
  numbers.sum_exp = {1, count};
  numbers.lse = {
      numbers.max_score.lo,
      std::nextafter(numbers.max_score.hi + next_up(next_up(std::log(count))), kInfinity)};
  numbers.o = hulls(task);
  for (const Enclosure& hull : numbers.o) {
    numbers.centre.push_back({hull.lo, 0, hull.hi == hull.lo ? 0 : next_up(hull.hi - hull.lo)});
  }
}

}  // namespace attest
