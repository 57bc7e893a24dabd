// running_weights.hpp - bounds of one row's weights as an ascending pass over its keys meets them,
// in the frame of the running maximum M_t = max over j <= t of s_j.
#pragma once

#include <algorithm>
#include <vector>

#include "oracle/weights.hpp"

namespace attest {

// An upper bound of exp(s_a - s_b), never above 1, where the caller knows that it is at most 1.
//
//   slack  at least the errors of both computed scores together.
//
// Kept keys have weights, and a quotient is cheaper than an exponential; its log-error is theirs.
// Others are far below the maximum but may be near each other.
template <unsigned Digits>
[[nodiscard]] double ratio_bound(const ScoreRow<Digits>& scores, const Weights<Digits>& weights,
                                 std::size_t a, std::size_t b, double slack) {
  if (slack > kLargestLogError) return 1;
  Real<Digits> ratio;
  double log_error = sum_up(slack, 2 * gamma<Digits>(1));
  if (weights.kept[a] != 0 && weights.kept[b] != 0) {
    mpfr_div(raw(ratio), raw(weights.w[a]), raw(weights.w[b]), MPFR_RNDU);
    log_error = sum_up(log_error, 2 * weights.log_error);
  } else {
    mpfr_sub(raw(ratio), raw(scores.s[a]), raw(scores.s[b]), MPFR_RNDU);
    if (mpfr_cmp_si(raw(ratio), -(1L << 20)) < 0) return kSmallest;
    mpfr_exp(raw(ratio), raw(ratio), MPFR_RNDU);
  }
  const double bound = product_up(to_double(ratio, MPFR_RNDU), sum_up(1, growth_up(log_error)));
  return std::min(bound, 1.0);
}

// Requires: weights.log_error <= kLargestLogError.
template <unsigned Digits>
void bound_running_weights(const ScoreRow<Digits>& scores, const Weights<Digits>& weights,
                           RowNumbers& numbers) {
  std::size_t top = 0;        // the largest computed score so far
  double largest_radius = 0;  // so far: M_t is within this of the computed one
  for (std::size_t n = 0; n < scores.s.size(); ++n) {
    const double slack = sum_up(largest_radius, scores.radius[n]);
    const bool rises = n > 0 && mpfr_greater_p(raw(scores.s[n]), raw(scores.s[top])) != 0;
    numbers.fade.push_back(rises ? ratio_bound(scores, weights, top, n, slack) : 1);
    if (rises || n == 0) top = n;
    numbers.running_weight.push_back(top == n ? 1 : ratio_bound(scores, weights, n, top, slack));
    largest_radius = std::max(largest_radius, scores.radius[n]);
  }
}

}  // namespace attest
