#include "oracle/doubled_row.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/doubled_exp.hpp"
#include "oracle/doubled_sums.hpp"
#include "oracle/doubled_weights.hpp"
#include "oracle/hulls.hpp"
#include "oracle/precision.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// What dropped keys, and products below binary64's range, may take from an output: at most 2^63
// keys, weights below e^-600 < 2^-865, and values below 2^128.
constexpr double kLeastRadius = 0x1p-640;

// An upper bound of exp(s_a - s_b), never above 1, where the caller knows that it is at most 1.
//
//   slack  at least the errors of both computed scores together.
double ratio_bound(const DoubledWeights& weights, std::size_t a, std::size_t b, double slack) {
  double bound = 0;
  if (weights.kept[a] != 0 && weights.kept[b] != 0) {
    const double log_error = sum_up(slack, 2 * weights.log_error);
    bound = product_up(quotient_up(upper_end(weights.w[a]), lower_end(weights.w[b])),
                       sum_up(1, sum_up(log_error, product_up(log_error, log_error))));
  } else {
    const Doubled<double> z = difference_of(weights.s[a], weights.s[b]);
    const double sizes = std::fabs(weights.s[a].hi) + std::fabs(weights.s[b].hi);
    const double least =
        difference_down(lower_end({-z.hi, -z.lo}), sum_up(slack, 5 * kUnitSquared * sizes));
    bound = product_up(exp_of(-least), 1 + 2 * kExpLogError);
  }
  return std::min(bound, 1.0);
}

// As an ascending pass meets the weights, in the frame of the running maximum.
void bound_running_weights(const DoubledWeights& weights, RowNumbers& numbers) {
  std::size_t top = 0;        // the largest computed score so far
  double largest_radius = 0;  // so far
  for (std::size_t n = 0; n < weights.s.size(); ++n) {
    const double slack = sum_up(largest_radius, weights.radius[n]);
    const bool rises = n > 0 && weights.s[top] < weights.s[n];
    numbers.fade.push_back(rises ? ratio_bound(weights, top, n, slack) : 1);
    if (rises || n == 0) top = n;
    numbers.running_weight.push_back(top == n ? 1 : ratio_bound(weights, n, top, slack));
    largest_radius = std::max(largest_radius, weights.radius[n]);
  }
}

// error-analysis.md, Theorem 19.
void enclose_outputs(const RowTask& task, const DoubledWeights& weights, RowNumbers& numbers) {
  DoubledSums sums(1, static_cast<std::size_t>(task.head.d_v));
  for (std::size_t n = 0; n < task.keys.size(); ++n) {
    if (weights.kept[n] == 0) continue;
    sums.add(0, weights.w[n], numbers.pi[n], task.head.v_row(task.keys[n]));
  }
  const double t = weights.relative;
  const double factor = quotient_up(2 * t, difference_down(1, t));
  const std::vector<Enclosure> hull = hulls(task);
  for (std::size_t c = 0; c < task.columns.size(); ++c) {
    const auto column = static_cast<std::size_t>(task.columns[c]);
    const Doubled<double> o = quotient_of(sums.sum(0, column), weights.sum);
    const double sum_pi_abs_v =
        inflate(sums.size(0, column), weights.kept_count + 1, weights.kept_count);
    const double rounding = 13 * kUnitSquared * std::fabs(o.hi);
    const double radius = sum_up(sum_up(product_up(factor, sum_pi_abs_v), rounding), kLeastRadius);
    numbers.o.push_back(intersection(enclose(o, radius), hull[c]));
    numbers.centre.push_back({o.hi, o.lo, radius});
  }
}

}  // namespace

std::optional<RowNumbers> try_row_in_doubled(const RowTask& task) {
  const auto weights = weigh_in_doubled(task);
  if (!weights) return std::nullopt;
  RowNumbers numbers;
  numbers.bits = kDoubledBits;
  numbers.log_error = weights->log_error;
  bound_scores(*weights, numbers);
  numbers.pi = weight_bounds(*weights);
  numbers.sum_exp = enclose_sum_exp(*weights);
  const DoubledLse lse = lse_of(*weights);
  numbers.lse = enclose(lse.value, lse.radius);
  // m <= LSE, with equality for a single key.
  numbers.lse.lo = std::max(numbers.lse.lo, numbers.max_score.lo);
  if (task.keys.size() == 1) numbers.lse.hi = std::min(numbers.lse.hi, numbers.max_score.hi);
  bound_running_weights(*weights, numbers);
  enclose_outputs(task, *weights, numbers);
  return numbers;
}

}  // namespace attest
