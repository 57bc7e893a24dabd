#include "oracle/enclose_scores.hpp"

#include <algorithm>

#include "oracle/mask.hpp"
#include "oracle/operands.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// [d_qk, n_k] from [n_k, d_qk]: a column of keys lies side by side.
std::vector<double> transposed(const std::vector<double>& rows, Index n_k, Index d_qk) {
  std::vector<double> columns(rows.size());
  for (Index j = 0; j < n_k; ++j) {
    for (Index c = 0; c < d_qk; ++c) columns[c * n_k + j] = rows[j * d_qk + c];
  }
  return columns;
}

// to[j] += factor * from[j]
void add_multiple(double factor, const double* from, double* to, Index count) {
  for (Index j = 0; j < count; ++j) to[j] += factor * from[j];
}

}  // namespace

HeadScores enclose_scores(const Problem& p, const Inputs& inputs, Index b, Index h, RowRange rows) {
  HeadScores scores(rows, p.n_k);
  scores.relative_radius = static_cast<double>(p.d_qk) * 0x1p-53;
  const KeyHead head = read_key_head(p, inputs, b, h / (p.heads_q / p.heads_k));
  const std::vector<double> k = transposed(head.k, p.n_k, p.d_qk);
  const std::vector<double> k_floor = transposed(head.k_floor, p.n_k, p.d_qk);
  for (Index i = rows.first; i < std::min(rows.end, p.live_queries(b)); ++i) {
    const KeyRange live = live_range(p, b, i);
    RowScores& row = scores.row(i);
    row.first = live.first;
    row.end = live.end;
    const QueryRow query = read_query_row(p, inputs, b, h, i);
    row.known = shape_of(p.in).bits <= 32 && query.finite &&
                std::all_of(head.finite.begin() + live.first, head.finite.begin() + live.end,
                            [](unsigned char finite) { return finite != 0; });
    double* dot = scores.dot.data() + scores.at(i, live.first);
    double* size = scores.size.data() + scores.at(i, live.first);
    const Index count = live.end - live.first;
    for (Index c = 0; c < p.d_qk; ++c) {
      if (query.q[c] == 0) continue;
      ++row.products;
      add_multiple(query.q[c], k.data() + c * p.n_k + live.first, dot, count);
      add_multiple(query.q_floor[c], k_floor.data() + c * p.n_k + live.first, size, count);
    }
    for (Index n = 0; n < count; ++n) size[n] = inflate(size[n], p.d_qk);
  }
  return scores;
}

HeadScores enclose_scores(const Problem& p, const Inputs& inputs, Index b, Index h) {
  return enclose_scores(p, inputs, b, h, {0, p.n_q});
}

}  // namespace attest
