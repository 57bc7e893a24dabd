#include "oracle/rounded_row.hpp"

#include <cmath>

#include "oracle/pair_magnitudes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;
// The least uncertainty of anything that is not exactly 0: it covers the underflow of whatever is
// below it, the subnormal step in pi included, and is far below any budget.
constexpr double kLeastCost = 0x1p-800;
// Pays for the roundings of a line that adds up a few errors.
constexpr double kUpward = 1 + 0x1p-45;

// n u / (1 - n u), generously.
double gamma_of(Index operations) {
  return static_cast<double>(operations) * kRoundoff * (1 + 0x1p-10);
}

// Four chains: sooner done than one, and no term meets more roundings.
double dot(const double* x, const double* y, std::size_t columns) {
  double sum[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= columns; k += 4) {
    for (std::size_t n = 0; n < 4; ++n) sum[n] += x[k + n] * y[k + n];
  }
  for (; k < columns; ++k) sum[0] += x[k] * y[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

struct Rounded {
  double value = 0;
  double radius = 0;

  // At least the magnitude of what lies within `radius` of value.
  [[nodiscard]] double bound() const {
    const double sum = std::fabs(value) + radius;
    return sum == 0 ? 0 : sum < kInfinity ? next_up(sum) : kInfinity;  // NaN: no bound
  }
};

// A dot product of inputs whose magnitudes add up to at most `size`.
Rounded dot_of(const std::vector<double>& x, const double* y, double size) {
  if (size == 0) return {};
  const auto columns = static_cast<Index>(x.size());
  const double rounding = gamma_of(columns + 1) * size + static_cast<double>(columns) * kSmallest;
  return {dot(x.data(), y, x.size()), rounding * kUpward};
}

double uncertainty(double pi, double excess) { return excess * pi + kLeastCost; }

// sum_j P_j dP_j.
Rounded mean_of(const std::vector<Pair>& pairs, const std::vector<Rounded>& dp, double excess) {
  Rounded mean;
  double size = 0;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const double pi = pairs[n].pi;
    mean.value += pi * dp[n].value;
    size += pi * std::fabs(dp[n].value);
    mean.radius += pi * dp[n].radius + uncertainty(pi, excess) * dp[n].bound();
  }
  if (size == 0 && mean.radius == 0) return {};
  const auto count = static_cast<Index>(pairs.size());
  mean.radius = inflate(mean.radius + gamma_of(count + 1) * size, count + 8, 4 * count);
  return mean;
}

Rounded row_mean(const HeadTask& task, const GradientQuery& query, double excess,
                 const std::vector<Pair>& pairs, const std::vector<Rounded>& dp) {
  const bool from_o = task.stored && !task.d_from_p;
  Rounded d = from_o ? dot_of(query.dout, query.o.data(), sum_abs_products(query.dout, query.o))
                     : mean_of(pairs, dp, excess);
  if (query.glse == 0) return d;
  d.value -= query.glse;
  d.radius = sum_up(d.radius, product_up(2 * kRoundoff, std::fabs(d.value)));
  return d;
}

Enclosure around(const Rounded& x) {
  if (x.radius == 0) return {x.value + 0.0, x.value + 0.0};
  const double lo = std::nextafter(x.value - x.radius, -kInfinity);
  const double hi = std::nextafter(x.value + x.radius, kInfinity);
  return lo <= hi ? Enclosure{lo, hi} : Enclosure{-kInfinity, kInfinity};
}

}  // namespace

double cost_of_share(double pi, double excess, Index terms) {
  return (uncertainty(pi, excess) + gamma_of(terms + 2) * pi) * kUpward;
}

RoundedRow round_row(const HeadTask& task, const GradientQuery& query, double excess, Index terms,
                     BackwardRow& row) {
  std::vector<Rounded> dp;
  for (const Pair& pair : row.pairs) {
    dp.push_back(dot_of(query.dout, task.head.keys.v_row(pair.j), pair.g));
  }
  const Rounded d = row_mean(task, query, excess, row.pairs, dp);
  row.d = around(d);
  RoundedRow result;
  const double rounding = gamma_of(terms + 4);
  for (std::size_t n = 0; n < row.pairs.size(); ++n) {
    Pair& pair = row.pairs[n];
    Rounded x{dp[n].value - d.value, dp[n].radius + d.radius};
    const double size = std::fabs(x.value);
    x.radius = (x.radius + kRoundoff * size) * kUpward;
    pair.abs_dp = dp[n].bound();
    pair.abs_dp_less_d = x.bound();
    const double cost =
        pair.pi * (x.radius + rounding * size) + uncertainty(pair.pi, excess) * pair.abs_dp_less_d;
    result.ds.push_back(pair.pi * x.value);
    result.cost.push_back(pair.abs_dp_less_d == 0 ? 0 : cost * kUpward + kLeastCost);
  }
  return result;
}

}  // namespace attest
