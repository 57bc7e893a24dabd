#include "oracle/computed_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "oracle/lanes.hpp"
#include "oracle/pair_magnitudes.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;
constexpr double kUpward = 1 + 0x1p-45;
constexpr double kGrowth = 1 + 0x1p-19;
// Covers whatever lies below the exponential's range, and every underflow.
constexpr double kLeastWeight = 0x1p-1000;

// By less than this may a sharper answer's bound of |s - L| exceed it where it is small.
constexpr double kSharpestLog = 0x1p-47;

// The sums of one row with one key.
struct Dots {
  double score = 0;      // q.k
  double floors = 0;     // floor(q).floor(k)
  double product = 0;    // dO.v
  double magnitude = 0;  // |dO|.|v|
};

// Lane by lane, so that sums do not depend on the width of registers.
ATTEST_LANES_INLINE double dot_of(const double* x, const double* y, Index columns) {
  Lanes many = {};
  Lanes a, b;
  Index c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    load(x + c, a);
    load(y + c, b);
    many += a * b;
  }
  double sum = sum_of(many);
  for (; c < columns; ++c) sum += x[c] * y[c];
  return sum;
}

ATTEST_LANES_INLINE double size_of(const double* x, const double* y, Index columns) {
  Lanes many = {};
  Lanes a, b;
  Index c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    load(x + c, a);
    load(y + c, b);
    many += magnitude(Lanes(a * b));
  }
  double sum = sum_of(many);
  for (; c < columns; ++c) sum += std::fabs(x[c] * y[c]);
  return sum;
}

ATTEST_WIDEST_LANES
Dots dots_of(const KeyHead& keys, const GradientQuery& row, Index j) {
  Dots dots;
  dots.score = dot_of(row.query.q.data(), keys.k_row(j), keys.d_qk);
  dots.floors = dot_of(row.query.q_floor.data(), keys.k_floor_row(j), keys.d_qk);
  dots.product = dot_of(row.dout.data(), keys.v_row(j), keys.d_v);
  dots.magnitude = size_of(row.dout.data(), keys.v_row(j), keys.d_v);
  return dots;
}

void add_weight(const Problem& p, const RoundedQuery& query, double k_norm, const Dots& dots,
                Pair& pair) {
  pair.a = product_up(inflate(dots.floors, p.d_qk + 1), p.scale) * kPairMargin;
  const double score = dots.score * p.scale;
  const double score_error =
      std::min(gamma_in_binary64(p.d_qk + 1) * pair.a, query.score_error * k_norm) * kUpward;
  const double x = score - query.lse;
  pair.abs_score = (std::fabs(score) + score_error) * kPairMargin;
  pair.abs_log_pi =
      (std::fabs(x) + score_error + query.lse_error + kRoundoff * std::fabs(x) + kSharpestLog) *
      kPairMargin;
  const double log_error = query.log_error + score_error;
  pair.pi = exp_of(x) * (1 + log_error * kGrowth) * kPairMargin + kLeastWeight;
}

void add_products(const Problem& p, const GradientHead& head, const GradientQuery& row,
                  const RoundedQuery& query, const Dots& dots, Pair& pair) {
  const Magnified& v = head.v[static_cast<std::size_t>(pair.j)];
  pair.products = count_products(row, v);
  if (!query.scores) {
    pair.abs_dp = pair.abs_dp_less_d = pair.g = pair.g_floor = kInfinity;
    return;
  }
  double error = 0;
  if (pair.products != 0) {
    pair.g = inflate(dots.magnitude, p.d_v + 1) * kPairMargin;
    const bool floored = row.magnified.floored || v.floored;
    pair.g_floor =
        floored ? inflate(sum_floored(row.magnified, v), p.d_v + 1) * kPairMargin : pair.g;
    error = gamma_in_binary64(p.d_v + 1) * pair.g * kUpward;
    pair.abs_dp = (std::fabs(dots.product) + error) * kPairMargin;
  }
  const double difference = std::fabs(dots.product - query.d);
  pair.abs_dp_less_d = (difference + error + query.d_error + kRoundoff * difference) * kPairMargin;
}

Index score_products(const HeadTask& task, const GradientQuery& row, KeyRange live) {
  const auto columns = static_cast<std::size_t>(task.problem.d_qk);
  const double* q = row.query.q.data();
  const Index most = std::count_if(q, q + columns, [](double x) { return x != 0; });
  Index products = 0;
  for (Index j = live.first; j < live.end && products < most; ++j) {
    const double* k = task.head.keys.k_row(j);
    Index count = 0;
    for (std::size_t c = 0; c < columns; ++c) count += q[c] != 0 && k[c] != 0;
    products = std::max(products, count);
  }
  return products;
}

}  // namespace

RoundedHead& ComputedPairs::add_head(const Inputs& inputs,
                                     const std::optional<StoredForward>& stored, Index b,
                                     Index h_k) {
  heads_.emplace_back(RoundedHead{read_head_task(problem_, inputs, stored, b, h_k), {}, {}});
  return *heads_.back();
}

void ComputedPairs::fill(std::size_t row, Index first, Index end, Pair* pairs) const {
  const Index group = problem_.heads_q / problem_.heads_k;
  const auto rows_of_head = static_cast<std::size_t>(group * problem_.n_q);
  const std::optional<RoundedHead>& head = heads_[row / rows_of_head];
  ATTEST_EXPECTS(head && head->queries[row % rows_of_head]);
  const RoundedQuery& query = *head->queries[row % rows_of_head];
  const GradientQuery& operands = head->task.rows[query.r];
  for (Index j = first; j < end; ++j, ++pairs) {
    *pairs = {};
    pairs->j = j;
    const Dots dots = dots_of(head->task.head.keys, operands, j);
    add_weight(problem_, query, head->norms.k[static_cast<std::size_t>(j)], dots, *pairs);
    add_products(problem_, head->task.head, operands, query, dots, *pairs);
  }
}

BackwardRow ComputedPairs::describe(const RoundedHead& head, const RoundedQuery& query) {
  const Problem& p = head.task.problem;
  const GradientQuery& operands = head.task.rows[query.r];
  BackwardRow row;
  row.loose = true;
  row.first_key = query.live.first;
  row.end_key = query.live.end;
  const double lse_radius = query.lse_error;
  row.lse = lse_radius == 0 ? Enclosure{query.lse, query.lse}
                            : Enclosure{std::nextafter(query.lse - lse_radius, -kInfinity),
                                        std::nextafter(query.lse + lse_radius, kInfinity)};
  row.max_abs_dot = query.q_norm * head.norms.largest_k * kPairMargin;
  row.score_products = score_products(head.task, operands, query.live);
  const auto columns = static_cast<double>(p.d_qk + p.d_v);
  row.excess.relative = 4 * query.largest_log_error + (columns + 64) * 0x1p-50 + 0x1p-35;
  row.excess.score = 3 *
                     (query.score_error * head.norms.largest_k + query.lse_error + kSharpestLog) *
                     (1 + 0x1p-20);
  // What blocks do not bound better, a silent row's: its gradients are 0.
  for (const double largest : head.norms.column_of_k) {
    row.mean_key.push_back(query.p_bound * largest * kPairMargin);
  }
  row.excess.mean_key = std::ranges::max(row.mean_key);
  if (!query.scores) {
    row.d = {-kInfinity, kInfinity};
    row.sum_abs_dout_o = kInfinity;
    return row;
  }
  row.d = query.d_error == 0 ? Enclosure{query.d + 0.0, query.d + 0.0}
                             : Enclosure{std::nextafter(query.d - query.d_error, -kInfinity),
                                         std::nextafter(query.d + query.d_error, kInfinity)};
  row.sum_abs_dout_o = query.abs_dout_o * kPairMargin;
  row.excess.dout_o = query.dout_o_excess;
  row.excess.d = 3 * query.d_error;
  return row;
}

}  // namespace attest
