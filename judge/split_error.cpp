#include "judge/split_error.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double kSecondOrder = 1 + 8 * kU;  // as in Theorem 4

Index ceil_div(Index a, Index b) { return a / b + (a % b != 0 ? 1 : 0); }

// A factor that grows with the distance of a part's own maximum from the row's is one of every key
// in it: m - m_s <= m - s_j.
struct Linear {
  double one = 0;
  double gap = 0;
};

Linear operator+(Linear a, Linear b) { return {a.one + b.one, a.gap + b.gap}; }
Linear operator*(double factor, Linear a) { return {factor * a.one, factor * a.gap}; }
Linear constant(double x) { return {x, 0}; }

Coefficients coefficients(Linear x) {
  Coefficients c{};
  c[kOne] = x.one * kSecondOrder;
  c[kGap] = x.gap * kSecondOrder;
  return c;
}

// One exp2 of a difference, wherever it may underflow on its way.
double one_exponential(const Resolved& a) { return -std::log1p(-a.eps) + (a.ftz ? 3 : 2) * a.eta; }

bool by_difference(const Resolved& a) {
  return a.exponent_known && a.exponent == Exponent::difference_first;
}

}  // namespace

LiveParts live_parts(const Resolved& a, const RowMoments& row) {
  LiveParts live;
  live.parts = row.last_live / a.part_k - row.first_live / a.part_k + 1;
  live.keys = std::min(row.live_keys, a.part_k);
  const Index tiles = row.last_live / a.tile_k - row.first_live / a.tile_k + 1;
  // Parts that start in the middle of a tile meet one more.
  const Index most = ceil_div(a.part_k, a.tile_k) + (a.part_k % a.tile_k == 0 ? 0 : 1);
  live.tiles = std::min(tiles, most);
  return live;
}

bool merge_rounds(const Resolved& a, Index parts) {
  return parts > 1 || !by_difference(a) || a.log.approx || a.u_div > 2 * kU + kU * kU;
}

double error_of_max_product(const Resolved& a, double m) {
  if (!a.exponent_known) return 2 * kU * m;
  return (a.exponent == Exponent::scaled_max ? 2 : 1) * kU * m;
}

double error_of_log(const LogError& log, double log_l) {
  if (!log.approx) return log.relative * log_l;
  return std::max(6 * kU * log_l, 0x1.82p-22);  // 2^-21.41, rounded up
}

MergeError bound_merge(const Resolved& a, const RowMoments& row, const LiveParts& live,
                       const PartSums& sums) {
  const auto parts = static_cast<double>(live.parts);
  const double log_part = std::log(static_cast<double>(live.keys));
  const double log_row = std::log(static_cast<double>(row.live_keys));
  const Linear m{sums.max_score, 1};                       // |m^_s|
  const Linear lse = m + constant(log_part + sums.slack);  // |L^_s|
  const Linear below{log_part + 2 * sums.slack, 1};        // max L^ - L^_s
  const Linear below_whole{log_row + 2 * sums.slack, 1};   // L^ - L^_s
  const double exponential = one_exponential(a);

  // The part's LSE: the maximum's product, the logarithm, their sum.
  const Linear own =
      error_of_max_product(a, 1) * m +
      constant(3 * a.eta + error_of_log(a.log, log_part + sums.slack + sums.max_shift)) + kU * lse;
  // Its weight under the running maximum, which rises at most parts - 1 times; and under L^.
  Linear weight = 3 * kU * below + constant(parts * exponential);
  Linear weight_in_whole = 3 * kU * below_whole + constant(exponential);
  if (!by_difference(a)) {  // both ends of a difference are rounded before it is taken
    weight = weight + 3 * kU * lse;
    weight_in_whole = weight_in_whole + 2 * kU * (m + constant(log_row + sums.slack));
  }

  MergeError error;
  error.chain = (2 * parts - 1) * kU;
  if (!a.exp_lse) {
    error.merge = coefficients(own + weight);
    return error;
  }
  const Linear larger{std::max(weight.one, weight_in_whole.one),
                      std::max(weight.gap, weight_in_whole.gap)};
  error.merge = coefficients(own + larger);
  error.mismatch = coefficients(weight + weight_in_whole);
  const double whole = sums.max_score + log_row + 2 * sums.slack;
  error.whole_lse =
      kSecondOrder * (error_of_log(a.log, std::log(parts) + 2 * sums.slack) + kU * whole);
  return error;
}

}  // namespace attest
