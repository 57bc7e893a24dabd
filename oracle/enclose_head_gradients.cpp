#include "oracle/enclose_head_gradients.hpp"

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
  RowScores& row = dp.rows[static_cast<std::size_t>(i)];
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

// Without the floors: what adds D up aligns nothing.
RowDot enclose_dot(const Problem& p, ConstTensorView o, const double* dout, Index b, Index h,
                   Index i) {
  RowDot row;
  row.known = shape_of(p.in).bits <= 32 && shape_of(o.format).bits <= 32;
  for (Index k = 0; k < p.d_v; ++k) {
    const double product = dout[k] * o.value(b, h, i, k);
    row.known = row.known && std::isfinite(product);
    row.dot += product;
    row.size += std::fabs(product);
    row.products += product != 0;
  }
  row.size = inflate(row.size, p.d_v);
  return row;
}

}  // namespace

HeadGradients enclose_head_gradients(const Problem& p, const Inputs& inputs, ConstTensorView o,
                                     Index b, Index h) {
  HeadGradients head;
  HeadScores& dp = head.dp;
  dp.n_k = p.n_k;
  dp.rows.resize(static_cast<std::size_t>(p.n_q));
  dp.dot.resize(static_cast<std::size_t>(p.n_q * p.n_k));
  dp.size.resize(dp.dot.size());
  dp.relative_radius = static_cast<double>(p.d_v) * 0x1p-53;
  head.d.resize(dp.rows.size());
  const ValueColumns values(p, inputs.v.view(), b, h / (p.heads_q / p.heads_k));
  const ConstTensorView gradient = inputs.dout.view();
  std::vector<double> dout(static_cast<std::size_t>(p.d_v));
  for (Index i = 0; i < p.live_queries(b); ++i) {
    const KeyRange live = live_range(p, b, i);
    if (live.first == live.end) continue;
    dp.rows[static_cast<std::size_t>(i)].first = live.first;
    dp.rows[static_cast<std::size_t>(i)].end = live.end;
    for (std::size_t k = 0; k < dout.size(); ++k) {
      dout[k] = gradient.value(b, h, i, static_cast<Index>(k));
    }
    enclose_row(p, values, dout.data(), i, dp);
    head.d[static_cast<std::size_t>(i)] = enclose_dot(p, o, dout.data(), b, h, i);
  }
  return head;
}

}  // namespace attest
