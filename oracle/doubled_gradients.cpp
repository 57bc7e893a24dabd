#include "oracle/doubled_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/doubled_exp.hpp"
#include "oracle/doubled_sums.hpp"
#include "oracle/pair_magnitudes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

constexpr double kLargestDoubledShift = 40;
// Of P, beyond which bounds of it would no longer be sharp.
constexpr double kMostLogError = 0x1p-55;
constexpr double kUnderflowGap = 760;  // e^-760 is below binary64
// What a product or a quotient of doubled numbers may be off by, relatively (Lemma 26).
constexpr double kOperation = 13 * kUnitSquared;

// At least p (1 + growth), above that by at most a rounding. Pays for its own operations.
double grown(const Doubled<double>& p, double growth) {
  return upper_end(two_sum(p.hi, p.lo + (growth + 0x1p-100) * p.hi));
}

// An upper bound of e^z for z < -500, too large by at most 2^-51 relatively or by two subnormal
// steps: e^(z + 200), whose parts are normal, times e^-200. The neighbour pays for the rounding to
// binary64, half a step, and for an error of z below 2^-55, at most a quarter.
double far_weight(const Doubled<double>& z) {
  if (z.hi < -kUnderflowGap) return kSmallest;
  constexpr Doubled<double> kExpOfMinus200{0x1.6061812054cfap+0, -0x1.16cc4f9f52eep-55};  // 2^289
  const Doubled<double> raised = exp_of(sum_of(z, Doubled<double>{200, 0}));
  return next_up(product_of(raised, kExpOfMinus200).hi * 0x1p-289);
}

// error: at most `relative` of the bound p (1 + growth).
void put(const Doubled<double>& p, double relative, double growth, std::size_t n,
         DoubledProbabilities& result) {
  result.bound[n] = grown(p, growth);
  result.p[n] = {p, relative == 0 ? 0 : lasting(product_up(relative, result.bound[n]))};
}

// A dropped key's P counts as 0.
void put_far(const Doubled<double>& z, std::size_t n, DoubledProbabilities& result) {
  result.bound[n] = far_weight(z);
  result.p[n] = {{}, kLeastError};
}

DoubledProbabilities room_for(std::size_t count) {
  return {DoubledApproximations(count), std::vector<double>(count), std::vector<double>(count)};
}

// A dot product of inputs whose magnitudes add up to at most `size`.
DoubledApproximation dot_of_inputs(const double* x, const double* y, Index columns, double size) {
  const DoubledDot dot = dot_in_doubled(x, y, columns);
  return {dot.value, dot.exact ? 0 : product_up(doubled_sum_error(columns), size)};
}

// Are all dP_j one exact number? Then it is their mean, whatever the weights.
bool all_equal(const DoubledApproximations& dp) {
  return std::ranges::all_of(dp, [&](const DoubledApproximation& x) {
    return x.error == 0 && x.value.hi == dp.front().value.hi && x.value.lo == dp.front().value.lo;
  });
}

// sum_j P_j dP_j.
DoubledApproximation mean_of(const DoubledProbabilities& probabilities,
                             const DoubledApproximations& dp) {
  Doubled<double> sum{};
  double size = 0;
  double error = 0;
  for (std::size_t n = 0; n < dp.size(); ++n) {
    const Doubled<double> term = product_of(probabilities.p[n].value, dp[n].value);
    const Doubled<double> next = two_sum(sum.hi, term.hi);
    sum = {next.hi, sum.lo + (next.lo + term.lo)};
    const double bound = dp[n].bound();
    size = sum_up(size, product_up(probabilities.bound[n], bound));
    error = sum_up(error, product_up(probabilities.bound[n], dp[n].error));
    error = sum_up(error, product_up(probabilities.p[n].error, bound));
  }
  const double rounding = 2 * doubled_sum_error(static_cast<Index>(dp.size()));
  return {two_sum(sum.hi, sum.lo), sum_up(error, product_up(rounding, size))};
}

// a - b, exactly where both have no second part.
DoubledApproximation difference(const DoubledApproximation& a, const DoubledApproximation& b) {
  DoubledApproximation result{difference_of(a.value, b.value), sum_up(a.error, b.error)};
  if (a.value.lo == 0 && b.value.lo == 0) return result;
  const double sizes = std::fabs(a.value.hi) + std::fabs(b.value.hi);
  result.error = sum_up(result.error, 5 * kUnitSquared * sizes);
  return result;
}

}  // namespace

double DoubledApproximation::bound() const { return sum_up(magnitude_up(value), error); }

DoubledProbabilities normalise(const DoubledWeights& weights, const Enclosure& sum_exp) {
  const std::size_t count = weights.w.size();
  DoubledProbabilities result = room_for(count);
  if (count == 1) {
    put({1, 0}, 0, 0, 0, result);
    result.bound[0] = 1;
    return result;
  }
  const double t = weights.relative;
  const double relative = sum_up(quotient_up(2 * t, difference_down(1, t)), kOperation);
  const double growth = quotient_up(relative, difference_down(1, relative));
  const double log_sum = next_up(next_up(std::log(sum_exp.hi)));
  const Doubled<double> log_of_sum = log_of(weights.sum);
  for (std::size_t n = 0; n < count; ++n) {
    result.abs_log[n] = sum_up(weights.gap_most(n), log_sum);
    if (weights.kept[n] != 0) {
      put(quotient_of(weights.w[n], weights.sum), relative, growth, n, result);
    } else {
      put_far(difference_of(weights.z[n], log_of_sum), n, result);
    }
  }
  return result;
}

std::optional<DoubledProbabilities> shift_to_stored(const DoubledWeights& weights, double lse) {
  const std::size_t count = weights.w.size();
  const Doubled<double> m = weights.shift();
  const Doubled<double> shift = difference_of(m, Doubled<double>{lse, 0});
  if (!(std::fabs(shift.hi) <= kLargestDoubledShift)) return std::nullopt;
  const double rounding = 5 * kUnitSquared * (std::fabs(m.hi) + std::fabs(lse));
  double log_error = sum_up(weights.log_error, doubled_exp_log_error(kLargestDoubledShift));
  log_error = sum_up(log_error, sum_up(rounding, kOperation));
  if (!(log_error <= kMostLogError)) return std::nullopt;
  const double growth = sum_up(log_error, product_up(log_error, log_error));
  const Doubled<double> factor = exp_of(shift);
  DoubledProbabilities result = room_for(count);
  for (std::size_t n = 0; n < count; ++n) {
    const Doubled<double> z = sum_of(weights.z[n], shift);
    const double own = 5 * kUnitSquared * (std::fabs(weights.z[n].hi) + kLargestDoubledShift);
    const double error = sum_up(weights.gap_error[n], sum_up(own, rounding));
    result.abs_log[n] = sum_up(magnitude_up(z), error);
    if (weights.kept[n] != 0) {
      put(product_of(weights.w[n], factor), growth, growth, n, result);
    } else {
      put_far(z, n, result);
    }
  }
  return result;
}

DoubledApproximations value_products_in_doubled(const GradientHead& head, const GradientQuery& row,
                                                const std::vector<Pair>& pairs) {
  DoubledApproximations dp;
  dp.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    dp.push_back(dot_of_inputs(row.dout.data(), head.keys.v_row(pair.j), head.keys.d_v, pair.g));
  }
  return dp;
}

DoubledApproximation row_mean(const HeadTask& task, const GradientQuery& row,
                              const DoubledProbabilities& probabilities,
                              const DoubledApproximations& dp) {
  DoubledApproximation d;
  if (task.stored && !task.d_from_p) {
    d = dot_of_inputs(row.dout.data(), row.o.data(), task.problem.d_v,
                      sum_abs_products(row.dout, row.o));
  } else {
    d = !task.stored && all_equal(dp) ? dp.front() : mean_of(probabilities, dp);
  }
  return difference(d, {{row.glse, 0}, 0});
}

// error-analysis.md, Lemma 29.
DoubledApproximations score_gradients(const DoubledProbabilities& probabilities,
                                      const DoubledApproximations& dp,
                                      const DoubledApproximation& d, std::vector<Pair>& pairs) {
  DoubledApproximations ds(pairs.size());
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const DoubledApproximation x = difference(dp[n], d);
    pairs[n].abs_dp = dp[n].bound();
    pairs[n].abs_dp_less_d = x.bound();
    ds[n].value = product_of(probabilities.p[n].value, x.value);
    const double rounding =
        product_up(kOperation, product_up(probabilities.bound[n], pairs[n].abs_dp_less_d));
    ds[n].error = sum_up(product_up(probabilities.bound[n], x.error),
                         product_up(probabilities.p[n].error, pairs[n].abs_dp_less_d));
    ds[n].error = lasting(sum_up(ds[n].error, rounding));
  }
  return ds;
}

}  // namespace attest
