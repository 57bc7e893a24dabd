#include "oracle/gradient_sums.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/upward.hpp"
#include "oracle/wide_head.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;
// Pays for a handful of roundings in a line of binary64.
constexpr double kUpward = 1 + 0x1p-45;
// A term's share in a sum of magnitudes that binary32 may lose, in units of the largest magnitudes.
constexpr double kLostShare = 0x1p-120;

std::size_t at(Index row, Index columns) { return static_cast<std::size_t>(row * columns); }

std::vector<double> finite_copy(const std::vector<double>& from) {
  std::vector<double> to(from.size());
  std::ranges::transform(from, to.begin(), finite_or_zero);
  return to;
}

void raise_columns(const double* row, std::vector<double>& column_max) {
  for (std::size_t c = 0; c < column_max.size(); ++c) {
    column_max[c] = std::max(column_max[c], std::fabs(finite_or_zero(row[c])));
  }
}

void settle_unit(ScaledSizes& sizes) {
  sizes.unit = sizes.column_max.empty() ? 1 : unit_above(std::ranges::max(sizes.column_max));
}

}  // namespace

GradientSums::GradientSums(const HeadTask& task, const KeyNorms& norms,
                           std::span<const RoundedQuery> rows)
    : task_(task),
      norms_(norms),
      k_copy_(task.head.finite ? std::vector<double>{} : finite_copy(task.head.keys.k)),
      v_copy_(task.head.finite ? std::vector<double>{} : finite_copy(task.head.keys.v)),
      k_(task.head.finite ? task.head.keys.k.data() : k_copy_.data()),
      v_(task.head.finite ? task.head.keys.v.data() : v_copy_.data()),
      reached_(static_cast<std::size_t>(task.problem.n_k)),
      turns_(static_cast<std::size_t>((task.problem.n_k + kGradientKeys - 1) / kGradientKeys)) {
  const Problem& p = task.problem;
  const auto d_qk = static_cast<std::size_t>(p.d_qk);
  const auto d_v = static_cast<std::size_t>(p.d_v);
  k_sizes_.column_max.resize(d_qk);
  q_sizes_.column_max.resize(d_qk);
  dout_sizes_.column_max.resize(d_v);
  for (Index j = 0; j < p.n_k; ++j) raise_columns(k_ + at(j, p.d_qk), k_sizes_.column_max);
  settle_unit(k_sizes_);
  k_sizes_.values.resize(at(p.n_k, p.d_qk));
  for (std::size_t e = 0; e < k_sizes_.values.size(); ++e) {
    k_sizes_.values[e] = scaled(k_[e], k_sizes_.unit);
  }

  const Index additions = std::max(p.n_k, static_cast<Index>(rows.size()));
  terms_ = static_cast<double>(additions);
  rounding_ = gamma_in_binary64(2 * additions / kGradientRows + additions + 8);
  delta_ = static_cast<double>(2 * additions + 8) * 0x1p-23;
  double weight_cost = 0;
  double score_cost = 0;
  std::vector<Index> rises(reached_.size() + 1);
  for (const RoundedQuery& row : rows) {
    raise_columns(task.rows[row.r].query.q.data(), q_sizes_.column_max);
    raise_columns(task.rows[row.r].dout.data(), dout_sizes_.column_max);
    const double relative = (row.largest_log_error + rounding_) * (1 + 0x1p-9);
    weight_cost = std::max(weight_cost, row.p_bound * relative);
    const double error = row.dp_error * norms.largest_v + row.d_error;
    score_cost =
        std::max(score_cost, row.p_bound * (row.largest_difference * relative + 2 * error));
    largest_difference_ = std::max(largest_difference_, row.largest_difference);
    ++rises[static_cast<std::size_t>(row.live.first)];
    --rises[static_cast<std::size_t>(row.live.end)];
  }
  settle_unit(q_sizes_);
  settle_unit(dout_sizes_);
  weight_unit_ = unit_above(weight_cost);
  score_unit_ = unit_above(score_cost);
  Index seen = 0;
  for (std::size_t j = 0; j < reached_.size(); ++j) {
    seen += rises[j];
    reached_[j] = seen > 0;
  }
  dk_.resize(at(p.n_k, p.d_qk));
  dv_.resize(at(p.n_k, p.d_v));
  dk_sizes_.resize(dk_.size());
  dv_sizes_.resize(dv_.size());
}

// error-analysis.md, Theorem 18.
double GradientSums::radius_of(float size, double unit, double largest) const {
  const double lost = terms_ * kLostShare;
  const double grown = (1 + 2 * delta_) * (static_cast<double>(size) + lost) * unit;
  return (grown + terms_ * kLostTerm * (1 + largest_difference_) * (1 + largest)) * kUpward;
}

void GradientSums::write_row(std::size_t first, const double* values, const float* sizes,
                             const ScaledSizes& other, double unit, double factor,
                             std::vector<Enclosure>& to) const {
  for (std::size_t c = 0; c < other.column_max.size(); ++c) {
    if (other.column_max[c] == 0) {
      to[first + c] = {};
      continue;
    }
    const double value = values[c] * factor;
    const double radius = (radius_of(sizes[c], unit * other.unit, other.column_max[c]) * factor +
                           2 * kRoundoff * std::fabs(value)) *
                              kUpward +
                          kSmallest;
    const double lo = std::nextafter(value - radius, -kInfinity);
    const double hi = std::nextafter(value + radius, kInfinity);
    to[first + c] = lo <= hi ? Enclosure{lo, hi} : Enclosure{-kInfinity, kInfinity};
  }
}

void GradientSums::write_keys(BackwardAnswer& answer) const {
  const Problem& p = task_.problem;
  for (Index j = 0; j < p.n_k; ++j) {
    const auto key = static_cast<Index>(task_.key_of(j));
    if (reached_[static_cast<std::size_t>(j)] == 0) continue;  // [0, 0] as it stands
    write_row(at(key, p.d_qk), dk_.data() + at(j, p.d_qk), dk_sizes_.data() + at(j, p.d_qk),
              q_sizes_, score_unit_, p.scale, answer.dk.values);
    write_row(at(key, p.d_v), dv_.data() + at(j, p.d_v), dv_sizes_.data() + at(j, p.d_v),
              dout_sizes_, weight_unit_, 1, answer.dv.values);
  }
}

}  // namespace attest
