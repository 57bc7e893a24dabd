#include "judge/least_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "judge/least_moments.hpp"

namespace attest {
namespace {

constexpr double kDownward = 1 - 0x1p-45;
// Of a weight, beside its share.
constexpr double kLostWeight = 0x1p-950;
// Lighter weights are made from their logarithm where it matters: nothing is a lower bound.
constexpr double kLightest = 0x1p-850;

// A bound less what it may exceed. What has no bound may be anything.
double lowered(double bound, double excess) {
  const double least = (bound - excess) * kDownward;
  return std::isfinite(bound) && least > 0 ? least : 0;
}

}  // namespace

BackwardRow least_of(const BackwardRow& row) {
  BackwardRow least = row;
  least.first_key = row.first();
  least.end_key = row.end();
  least.pairs.clear();
  if (!row.loose) return least;
  const PairExcess& e = row.excess;
  least.lse = nearest(row.lse);
  least.d = nearest(row.d);
  least.sum_abs_dout_o = lowered(row.sum_abs_dout_o, e.relative * row.sum_abs_dout_o + e.dout_o);
  for (double& mean : least.mean_key) mean = lowered(mean, e.relative * mean + e.mean_key);
  return least;
}

Pair least_of(const Pair& pair, const BackwardRow& row) {
  if (!row.loose) return pair;
  Pair least;
  least.j = pair.j;
  least.products = pair.products;
  if (pair.pi < kLightest) return least;
  const PairExcess& e = row.excess;
  const auto share = [&](double bound) { return e.relative * bound; };
  least.pi = lowered(pair.pi, share(pair.pi) + kLostWeight);
  least.a = lowered(pair.a, share(pair.a));
  least.abs_score = lowered(pair.abs_score, share(pair.abs_score) + e.score);
  least.abs_log_pi = lowered(pair.abs_log_pi, share(pair.abs_log_pi) + e.score);
  least.abs_dp = lowered(pair.abs_dp, share(pair.abs_dp + pair.g));
  least.abs_dp_less_d = lowered(pair.abs_dp_less_d, share(pair.abs_dp_less_d + pair.g) + e.d);
  least.g = lowered(pair.g, share(pair.g));
  least.g_floor = lowered(pair.g_floor, share(pair.g_floor));
  return least;
}

}  // namespace attest
