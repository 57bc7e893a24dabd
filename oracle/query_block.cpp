#include "oracle/query_block.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "oracle/block_bounds.hpp"
#include "oracle/operands.hpp"

namespace attest {
namespace {

int blas(Index n) { return static_cast<int>(n); }

}  // namespace

QueryBlock::QueryBlock(const QueryHead& task)
    : task_(task),
      d_qk_(static_cast<std::size_t>(task.problem.d_qk)),
      d_v_(static_cast<std::size_t>(task.problem.d_v)),
      q_(kBlockRows * d_qk_),
      q_floor_(kBlockRows * d_qk_),
      weights_(kBlockRows * kTileKeys),
      narrow_(kBlockRows * kTileKeys),
      sizes_(kBlockRows * kTileKeys),
      o_(kBlockRows * d_v_),
      spread_(kBlockRows * 2 * d_v_),
      sums_(kBlockRows) {}

void QueryBlock::read_queries(std::span<const BlockRow> rows) {
  const double smallest = smallest_normal(task_.problem.in);
  double largest = 0;
  for (const BlockRow& row : rows) {
    largest = std::max(largest, task_.queries.largest[static_cast<std::size_t>(row.i)]);
  }
  q_unit_ = unit_above(largest);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double* from = task_.queries.q.data() + static_cast<std::size_t>(rows[n].i) * d_qk_;
    for (std::size_t c = 0; c < d_qk_; ++c) {
      const double x = from[c];
      q_[n * d_qk_ + c] = x;
      q_floor_[n * d_qk_ + c] = static_cast<float>(floor_of(smallest, x) / q_unit_);
    }
  }
}

void QueryBlock::work_tile(std::span<const BlockRow> rows, Index first, Index width) {
  const Problem& p = task_.problem;
  const WideHead& head = task_.head;
  const auto count = blas(static_cast<Index>(rows.size()));
  const std::size_t at = static_cast<std::size_t>(first);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, blas(width), blas(p.d_qk), 1,
              q_.data(), blas(p.d_qk), head.k.data() + at * d_qk_, blas(p.d_qk), 0, weights_.data(),
              blas(kTileKeys));
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, blas(width), blas(p.d_qk), 1,
              q_floor_.data(), blas(p.d_qk), head.k_floor.data() + at * d_qk_, blas(p.d_qk), 0,
              sizes_.data(), blas(kTileKeys));
  const MagnitudeScale a = magnitude_scale(p, q_unit_, head.k_unit);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    double* weights = weights_.data() + n * kTileKeys;
    float* narrow = narrow_.data() + n * kTileKeys;
    const ScoreTile tile{first,
                         width,
                         std::clamp<Index>(rows[n].live.first - first, 0, width),
                         std::clamp<Index>(rows[n].live.end - first, 0, width),
                         p.scale,
                         a.unit,
                         a.least,
                         sizes_.data() + n * kTileKeys};
    if (tile.live_first >= tile.live_end) {
      std::fill_n(weights, width, 0.0);
      std::fill_n(narrow, width, 0.0F);
      continue;
    }
    const double factor = weigh_tile(tile, weights, narrow, sums_[n]);
    if (factor == 1) continue;
    rescale(o_.data() + n * d_v_, p.d_v, factor);
    rescale(spread_.data() + n * 2 * d_v_, 2 * p.d_v, static_cast<float>(factor));
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, blas(p.d_v), blas(width), 1,
              weights_.data(), blas(kTileKeys), head.v.data() + at * d_v_, blas(p.d_v), 1,
              o_.data(), blas(p.d_v));
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, blas(2 * p.d_v), blas(width), 1,
              narrow_.data(), blas(kTileKeys), head.v_sizes.data() + at * 2 * d_v_, blas(2 * p.d_v),
              1, spread_.data(), blas(2 * p.d_v));
}

std::vector<std::size_t> QueryBlock::work(std::span<const BlockRow> rows) {
  read_queries(rows);
  std::fill(o_.begin(), o_.end(), 0.0);
  std::fill(spread_.begin(), spread_.end(), 0.0F);
  std::fill(sums_.begin(), sums_.end(), RowSums{});
  Index first = rows.front().live.first;
  Index end = rows.front().live.end;
  for (const BlockRow& row : rows) {
    first = std::min(first, row.live.first);
    end = std::max(end, row.live.end);
  }
  for (Index at = first / kTileKeys * kTileKeys; at < end; at += kTileKeys) {
    work_tile(rows, at, std::min(kTileKeys, task_.head.padded - at));
  }
  std::vector<std::size_t> refused;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!finish(n, rows[n])) {
      refused.push_back(row_index(task_.problem, task_.b, task_.h, rows[n].i));
    }
  }
  return refused;
}

bool QueryBlock::finish(std::size_t n, const BlockRow& row) {
  const BlockBounds bounds(task_.problem, task_.head, row.live, sums_[n]);
  if (!bounds.usable()) return false;
  const std::size_t index = row_index(task_.problem, task_.b, task_.h, row.i);
  return bounds.write(o_.data() + n * d_v_, spread_.data() + n * 2 * d_v_, index, task_.answer);
}

}  // namespace attest
