#include "oracle/doubled_weights.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/doubled_exp.hpp"
#include "oracle/doubled_sums.hpp"
#include "oracle/solve_row.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// A key further below the largest score is left out, and what all of them are worth together, for
// each unit of |v| and of the row sum: e^-600 < 2^-865.
constexpr double kKeptGap = 600;
constexpr double kDroppedShare = 0x1p-865;
// Above this, scores have no place in the results.
constexpr double kLargestScore = 0x1p800;

// a + b with the result's rounding turned as named.
double sum_below(double a, double b) {
  const Doubled<double> sum = two_sum(a, b);
  return sum.lo < 0 ? std::nextafter(sum.hi, -kInfinity) : sum.hi;
}
double sum_above(double a, double b) { return -sum_below(-a, -b); }

// error-analysis.md, Lemma 28.
void score(const RowTask& task, DoubledWeights& row) {
  const std::size_t count = task.keys.size();
  row.s.resize(count);
  row.radius.resize(count);
  const auto d = static_cast<double>(task.head.d_qk);
  const double relative = product_up((d + 20) * (d + 20) * kUnitSquared, task.scale);
  const Doubled<double> scale_halves = halves_of(task.scale);
  for (std::size_t n = 0; n < count; ++n) {
    const DoubledDot dot =
        dot_in_doubled(task.query.q.data(), task.head.k_row(task.keys[n]), task.head.d_qk);
    const Doubled<double> product =
        two_product(dot.value.hi, halves_of(dot.value.hi), task.scale, scale_halves);
    row.s[n] = quick_two_sum(product.hi, product.lo + dot.value.lo * task.scale);
    if (!dot.exact) row.radius[n] = product_up(relative, task.abs_dot[n]);
    if (row.s[row.argmax] < row.s[n]) row.argmax = n;
  }
}

// Differences from the shift, and which keys are kept. False where the weights would not be sharp.
bool measure_gaps(DoubledWeights& row) {
  const std::size_t count = row.s.size();
  row.z.resize(count);
  row.gap_error.resize(count);
  row.kept.resize(count);
  row.shift_error = *std::max_element(row.radius.begin(), row.radius.end());
  if (!(row.shift_error <= kSharpLogError)) return false;
  const Doubled<double> m = row.shift();
  for (std::size_t n = 0; n < count; ++n) {
    row.z[n] = difference_of(row.s[n], m);
    const double sizes = std::fabs(row.s[n].hi) + std::fabs(m.hi);
    if (!(sizes < kLargestScore)) return false;
    const bool equal = row.s[n].hi == m.hi && row.s[n].lo == m.lo;
    const double rounding = equal ? 0 : 5 * kUnitSquared * sizes;
    row.gap_error[n] = sum_up(sum_up(row.shift_error, row.radius[n]), rounding);
    row.kept[n] = !(row.gap_least(n) > kKeptGap);
    if (row.kept[n] == 0) continue;
    ++row.kept_count;
    const double own = sum_up(row.radius[n], rounding);
    const double log_error = sum_up(own, doubled_exp_log_error(-row.z[n].hi));
    row.log_error = std::max(row.log_error, n == row.argmax ? row.radius[n] : log_error);
  }
  return row.log_error <= kSharpLogError;
}

void add_weights(DoubledWeights& row) {
  std::vector<Doubled<double>> z = row.z;
  for (std::size_t n = 0; n < z.size(); ++n) {
    if (row.kept[n] == 0) z[n] = {};
  }
  exp_of_each(z, row.w);
  Doubled<double> sum{};  // and the errors of its additions
  for (std::size_t n = 0; n < z.size(); ++n) {
    if (row.kept[n] == 0) {
      row.w[n] = {};
      continue;
    }
    const Doubled<double> next = two_sum(sum.hi, row.w[n].hi);
    sum = {next.hi, sum.lo + (next.lo + row.w[n].lo)};
  }
  row.sum = two_sum(sum.hi, sum.lo);
  const double growth = sum_up(row.log_error, product_up(row.log_error, row.log_error));
  const double additions = 2 * doubled_sum_error(row.kept_count);
  row.relative = sum_up(growth, product_up(additions, sum_up(1, growth)));
  if (row.kept_count < static_cast<Index>(z.size())) {
    const double dropped = static_cast<double>(z.size()) * kDroppedShare;
    row.relative = sum_up(row.relative, dropped);
  }
}

}  // namespace

double upper_end(const Doubled<double>& x) { return x.lo > 0 ? next_up(x.hi) : x.hi; }

double lower_end(const Doubled<double>& x) { return x.lo < 0 ? std::nextafter(x.hi, 0.0) : x.hi; }

double magnitude_up(const Doubled<double>& x) {
  return x.hi < 0 ? upper_end({-x.hi, -x.lo}) : upper_end(x);
}

Enclosure enclose(const Doubled<double>& centre, double radius) {
  return {sum_below(centre.hi, sum_below(centre.lo, -radius)),
          sum_above(centre.hi, sum_above(centre.lo, radius))};
}

double DoubledWeights::gap_most(std::size_t n) const {
  return sum_up(upper_end({-z[n].hi, -z[n].lo}), gap_error[n]);
}

double DoubledWeights::gap_least(std::size_t n) const {
  return difference_down(lower_end({-z[n].hi, -z[n].lo}), gap_error[n]);
}

std::optional<DoubledWeights> weigh_in_doubled(const RowTask& task) {
  DoubledWeights row;
  score(task, row);
  if (!measure_gaps(row)) return std::nullopt;
  add_weights(row);
  return row;
}

// error-analysis.md, Theorem 2's proof: pi_j <= (w_j / sum) (1 + t)^2 of a kept key; a dropped one
// has pi_j <= exp(s_j - m).
std::vector<double> weight_bounds(const DoubledWeights& weights) {
  std::vector<double> pi(weights.w.size());
  const double inflation = sum_up(1, weights.relative);
  const double factor = product_up(inflation, inflation);
  const double sum = lower_end(weights.sum);
  for (std::size_t n = 0; n < pi.size(); ++n) {
    pi[n] = weights.kept[n] != 0 ? product_up(quotient_up(upper_end(weights.w[n]), sum), factor)
                                 : product_up(exp_of(-weights.gap_least(n)), 1 + 2 * kExpLogError);
  }
  return pi;
}

Enclosure enclose_sum_exp(const DoubledWeights& weights) {
  const double shift = weights.shift_error;
  const double grown = sum_up(1, sum_up(shift, product_up(shift, shift)));
  const double hi =
      product_up(quotient_up(upper_end(weights.sum), difference_down(1, weights.relative)), grown);
  const double lo = lower_end(weights.sum) * difference_down(1, sum_up(weights.relative, shift));
  return {std::max(std::nextafter(lo, 0.0), 1.0),
          std::min(hi, static_cast<double>(weights.w.size()))};
}

// error-analysis.md, Theorem 19.
DoubledLse lse_of(const DoubledWeights& weights) {
  const Doubled<double> log_sum = log_of(weights.sum);
  const Doubled<double> m = weights.shift();
  const double sizes = std::fabs(m.hi) + std::fabs(log_sum.hi);
  const double operations = doubled_log_error(std::fabs(log_sum.hi)) + 5 * kUnitSquared * sizes;
  // -log(1 - t) of the sum; its t holds Lambda already.
  const double of_sum = product_up(weights.relative, sum_up(1, weights.relative));
  return {sum_of(m, log_sum), sum_up(of_sum, sum_up(operations, kSmallest))};
}

void bound_scores(const DoubledWeights& weights, RowNumbers& numbers) {
  numbers.max_score = enclose(weights.shift(), weights.shift_error);
  numbers.argmax = weights.argmax;
  for (std::size_t n = 0; n < weights.s.size(); ++n) {
    numbers.gap.push_back(weights.gap_most(n));
    numbers.gap_least.push_back(weights.gap_least(n));
    numbers.abs_score.push_back(sum_up(magnitude_up(weights.s[n]), weights.radius[n]));
    if (weights.z[n].hi >= -1) ++numbers.keys_near_max;
  }
}

}  // namespace attest
