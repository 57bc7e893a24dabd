#include "oracle/gradient_block.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "oracle/gradient_tile.hpp"
#include "oracle/upward.hpp"
#include "oracle/wide_head.hpp"

namespace attest {
namespace {

constexpr double kRoundoff = 0x1p-53;
// Pays for a handful of roundings in a line of binary64.
constexpr double kUpward = 1 + 0x1p-45;
// e^x - 1 <= x times this for 0 <= x <= 2^-20.
constexpr double kGrowth = 1 + 0x1p-19;
// A term's share in a sum of magnitudes that binary32 may lose, in units of the largest magnitudes.
constexpr double kLostShare = 0x1p-120;
// What a term may lose to underflow in binary64, in units of its factors' bounds.
constexpr double kLostTerm = 0x1p-990;

int blas(Index n) { return static_cast<int>(n); }

std::size_t at(Index row, Index columns) { return static_cast<std::size_t>(row * columns); }

double finite_or_zero(double x) { return std::isfinite(x) ? x : 0; }

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

float scaled(double x, double unit) { return static_cast<float>(std::fabs(x) / unit); }

// C += A B or A^T B, row-major, all leading dimensions given.
struct Shape {
  CBLAS_TRANSPOSE first;
  Index rows, columns, inner;
  Index ld_a, ld_b, ld_c;
};

void add_product(const Shape& s, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, s.first, CblasNoTrans, blas(s.rows), blas(s.columns), blas(s.inner), 1,
              a, blas(s.ld_a), b, blas(s.ld_b), 1, c, blas(s.ld_c));
}

void add_product(const Shape& s, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, s.first, CblasNoTrans, blas(s.rows), blas(s.columns), blas(s.inner), 1,
              a, blas(s.ld_a), b, blas(s.ld_b), 1, c, blas(s.ld_c));
}

// x y^T for rows of inputs.
void dot_products(Index rows, Index width, Index columns, const double* x, const double* y,
                  double* to, Index stride) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas(rows), blas(width), blas(columns), 1, x,
              blas(columns), y, blas(columns), 0, to, blas(stride));
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

GradientBlock::GradientBlock(GradientSums& sums, Index most, BackwardAnswer& answer)
    : sums_(sums),
      answer_(answer),
      p_(sums.task_.problem),
      stride_(std::min(kGradientKeys, p_.n_k)),
      q_(at(most, p_.d_qk)),
      dout_(at(most, p_.d_v)),
      q_sizes_(q_.size()),
      dout_sizes_(dout_.size()),
      weights_(at(most, stride_)),
      scores_(weights_.size()),
      weight_costs_(weights_.size()),
      score_costs_(weights_.size()),
      dq_(q_.size()),
      dq_sizes_(q_.size()),
      mean_key_(q_.size()) {}

void GradientBlock::read_rows(std::span<const RoundedQuery> rows) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const GradientQuery& query = sums_.task_.rows[rows[n].r];
    const std::size_t first_q = n * query.query.q.size();
    for (std::size_t c = 0; c < query.query.q.size(); ++c) {
      q_[first_q + c] = query.query.q[c];
      q_sizes_[first_q + c] = scaled(query.query.q[c], sums_.q_sizes_.unit);
    }
    const std::size_t first_dout = n * query.dout.size();
    for (std::size_t k = 0; k < query.dout.size(); ++k) {
      dout_[first_dout + k] = finite_or_zero(query.dout[k]);
      dout_sizes_[first_dout + k] = scaled(dout_[first_dout + k], sums_.dout_sizes_.unit);
    }
  }
  std::ranges::fill(dq_, 0.0);
  std::ranges::fill(dq_sizes_, 0.0F);
  std::ranges::fill(mean_key_, 0.0);
}

void GradientBlock::work_tile(std::span<const RoundedQuery> rows, Index first, Index width) {
  const auto count = static_cast<Index>(rows.size());
  const double* k = sums_.k_ + at(first, p_.d_qk);
  dot_products(count, width, p_.d_qk, q_.data(), k, weights_.data(), stride_);
  dot_products(count, width, p_.d_v, dout_.data(), sums_.v_ + at(first, p_.d_v), scores_.data(),
               stride_);
  for (Index n = 0; n < count; ++n) {
    const RoundedQuery& row = rows[static_cast<std::size_t>(n)];
    GradientTile tile;
    tile.width = width;
    tile.live_first = std::clamp<Index>(row.live.first - first, 0, width);
    tile.live_end = std::clamp<Index>(row.live.end - first, tile.live_first, width);
    tile.scores = row.scores;
    tile.scale = p_.scale;
    tile.lse = row.lse;
    tile.d = row.d;
    tile.log_error = row.log_error * kGrowth;
    tile.score_error = row.score_error * kGrowth;
    tile.dp_error = row.dp_error;
    tile.d_error = row.d_error;
    tile.rounding = sums_.rounding_;
    tile.weight_unit = sums_.weight_unit_;
    tile.score_unit = sums_.score_unit_;
    tile.k_norm = sums_.norms_.k.data() + first;
    tile.v_norm = sums_.norms_.v.data() + first;
    const std::size_t place = at(n, stride_);
    work_gradient_tile(tile, weights_.data() + place, scores_.data() + place,
                       weight_costs_.data() + place, score_costs_.data() + place);
  }
  const Shape by_keys{CblasNoTrans, count, p_.d_qk, width, stride_, p_.d_qk, p_.d_qk};
  add_product(by_keys, scores_.data(), k, dq_.data());
  add_product(by_keys, weights_.data(), k, mean_key_.data());
  add_product(by_keys, score_costs_.data(), sums_.k_sizes_.values.data() + at(first, p_.d_qk),
              dq_sizes_.data());
}

void GradientBlock::add_to_keys(Index rows, Index first, Index width) {
  const Shape by_q{CblasTrans, width, p_.d_qk, rows, stride_, p_.d_qk, p_.d_qk};
  add_product(by_q, scores_.data(), q_.data(), sums_.dk_.data() + at(first, p_.d_qk));
  add_product(by_q, score_costs_.data(), q_sizes_.data(),
              sums_.dk_sizes_.data() + at(first, p_.d_qk));
  const Shape by_dout{CblasTrans, width, p_.d_v, rows, stride_, p_.d_v, p_.d_v};
  add_product(by_dout, weights_.data(), dout_.data(), sums_.dv_.data() + at(first, p_.d_v));
  add_product(by_dout, weight_costs_.data(), dout_sizes_.data(),
              sums_.dv_sizes_.data() + at(first, p_.d_v));
}

void GradientBlock::work(std::size_t turn, std::span<const RoundedQuery> rows) {
  read_rows(rows);
  Index first = rows.front().live.first;
  Index end = rows.front().live.end;
  for (const RoundedQuery& row : rows) {
    first = std::min(first, row.live.first);
    end = std::max(end, row.live.end);
  }
  for (std::size_t t = 0; t < sums_.turns_.size(); ++t) {
    const Index from = static_cast<Index>(t) * kGradientKeys;
    const Index width = std::min(kGradientKeys, p_.n_k - from);
    const bool live = from < end && from + width > first;
    if (live) work_tile(rows, from, width);
    std::atomic<std::size_t>& next = sums_.turns_[t];
    for (std::size_t now = next.load(); now != turn; now = next.load()) next.wait(now);
    if (live) add_to_keys(static_cast<Index>(rows.size()), from, width);
    next.store(turn + 1);
    next.notify_all();
  }
  write_rows(rows);
}

void GradientBlock::write_mean_key(const RoundedQuery& query, const double* computed,
                                   BackwardRow& row) const {
  const double relative = (query.largest_log_error * kGrowth + sums_.rounding_) * query.p_bound;
  row.excess.mean_key = 0;
  for (std::size_t c = 0; c < row.mean_key.size(); ++c) {
    const double largest = sums_.k_sizes_.column_max[c];
    const double error = (relative + sums_.terms_ * kLostTerm) * largest * kUpward;
    row.mean_key[c] = largest == 0 ? 0 : (std::fabs(computed[c]) + error) * kPairMargin;
    row.excess.mean_key = std::max(row.excess.mean_key, 3 * error);
  }
}

void GradientBlock::write_rows(std::span<const RoundedQuery> rows) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const RoundedQuery& row = rows[n];
    const std::size_t place = at(static_cast<Index>(n), p_.d_qk);
    const std::size_t index = sums_.task_.row_of(row.r);
    if (row.scores) {
      sums_.write_row(at(static_cast<Index>(index), p_.d_qk), dq_.data() + place,
                      dq_sizes_.data() + place, sums_.k_sizes_, sums_.score_unit_, p_.scale,
                      answer_.dq.values);
    }
    write_mean_key(row, mean_key_.data() + place, answer_.rows[index]);
  }
}

}  // namespace attest
