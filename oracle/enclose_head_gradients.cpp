#include "oracle/enclose_head_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/mask.hpp"
#include "oracle/operands.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// V of a key head by columns, so that keys lie side by side.
struct ValueColumns {
  Index n_k = 0;
  std::vector<double> v;              // [d_v, n_k]
  std::vector<double> v_floor;        // [d_v, n_k]
  std::vector<unsigned char> finite;  // per key

  ValueColumns(const Problem& p, ConstTensorView values, Index b, Index h)
      : n_k(p.n_k),
        v(static_cast<std::size_t>(p.d_v * p.n_k)),
        v_floor(v.size()),
        finite(static_cast<std::size_t>(p.n_k), 1) {
    const double normal = smallest_normal(p.in);
    for (Index j = 0; j < p.n_k; ++j) {
      for (Index k = 0; k < p.d_v; ++k) {
        const double x = values.value(b, h, j, k);
        v[static_cast<std::size_t>(k * n_k + j)] = x;
        v_floor[static_cast<std::size_t>(k * n_k + j)] = floor_of(normal, x);
        if (!std::isfinite(x)) finite[static_cast<std::size_t>(j)] = 0;
      }
    }
  }
};

// to[n] += factor * from[n]
void add_multiple(double factor, const double* from, double* to, Index count) {
  for (Index n = 0; n < count; ++n) to[n] += factor * from[n];
}

// dP of the row's live keys.
void enclose_row(const Problem& p, const ValueColumns& values, const double* dout, Index i,
                 HeadScores& dp) {
  RowScores& row = dp.row(i);
  row.known = shape_of(p.in).bits <= 32;
  for (Index j = row.first; j < row.end; ++j) {
    row.known = row.known && values.finite[static_cast<std::size_t>(j)] != 0;
  }
  const double normal = smallest_normal(p.in);
  const Index count = row.end - row.first;
  double* const dot = dp.dot.data() + dp.at(i, row.first);
  double* const size = dp.size.data() + dp.at(i, row.first);
  for (Index k = 0; k < p.d_v; ++k) {
    if (dout[k] == 0) continue;
    row.known = row.known && std::isfinite(dout[k]);
    ++row.products;
    const Index from = k * values.n_k + row.first;
    add_multiple(dout[k], values.v.data() + from, dot, count);
    add_multiple(floor_of(normal, dout[k]), values.v_floor.data() + from, size, count);
  }
  for (Index n = 0; n < count; ++n) size[n] = inflate(size[n], p.d_v);
}

std::vector<double> dout_of(const Problem& p, const Inputs& inputs, Index b, Index h, Index i) {
  std::vector<double> dout;
  for (Index k = 0; k < p.d_v; ++k) dout.push_back(inputs.dout.view().value(b, h, i, k));
  return dout;
}

bool sees_a_key(const Problem& p, Index b, Index i) {
  const KeyRange live = live_range(p, b, i);
  return live.first < live.end;
}

}  // namespace

HeadScores enclose_dp(const Problem& p, const Inputs& inputs, Index b, Index h, RowRange rows) {
  HeadScores dp(rows, p.n_k);
  dp.relative_radius = static_cast<double>(p.d_v) * 0x1p-53;
  const ValueColumns values(p, inputs.v.view(), b, h / (p.heads_q / p.heads_k));
  for (Index i = rows.first; i < std::min(rows.end, p.live_queries(b)); ++i) {
    if (!sees_a_key(p, b, i)) continue;
    const KeyRange live = live_range(p, b, i);
    dp.row(i).first = live.first;
    dp.row(i).end = live.end;
    enclose_row(p, values, dout_of(p, inputs, b, h, i).data(), i, dp);
  }
  return dp;
}

HeadScores enclose_dp(const Problem& p, const Inputs& inputs, Index b, Index h) {
  return enclose_dp(p, inputs, b, h, {0, p.n_q});
}

std::vector<RowDot> enclose_row_dots(const Problem& p, const Inputs& inputs, ConstTensorView o,
                                     Index b, Index h) {
  std::vector<RowDot> rows(static_cast<std::size_t>(p.n_q));
  for (Index i = 0; i < p.live_queries(b); ++i) {
    if (!sees_a_key(p, b, i)) continue;
    RowDot& row = rows[static_cast<std::size_t>(i)];
    row.known = shape_of(p.in).bits <= 32 && shape_of(o.format).bits <= 32;
    const std::vector<double> dout = dout_of(p, inputs, b, h, i);
    for (Index k = 0; k < p.d_v; ++k) {
      const double stored = o.value(b, h, i, k);
      const double product = dout[static_cast<std::size_t>(k)] * stored;
      row.known = row.known && std::isfinite(product);
      row.dot += product;
      row.size += std::fabs(product);
      if (product == 0) continue;
      ++row.products;
      row.largest = std::max(row.largest, std::fabs(stored));
    }
    row.size = inflate(row.size, p.d_v);
    row.radius = product_up(static_cast<double>(p.d_v) * 0x1p-53, row.size);
  }
  return rows;
}

}  // namespace attest
