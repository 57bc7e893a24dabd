#include "oracle/gradient_block.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "oracle/gradient_tile.hpp"

namespace attest {
namespace {

// Pays for a handful of roundings in a line of binary64.
constexpr double kUpward = 1 + 0x1p-45;
// e^x - 1 <= x times this for 0 <= x <= 2^-20.
constexpr double kGrowth = 1 + 0x1p-19;

int blas(Index n) { return static_cast<int>(n); }

std::size_t at(Index row, Index columns) { return static_cast<std::size_t>(row * columns); }

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
    const double lost = sums_.terms_ * kLostTerm * (1 + largest);
    const double error = (relative * largest + lost) * kUpward;
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
