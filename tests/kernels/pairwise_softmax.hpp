// pairwise_softmax.hpp - attention as its definition reads, in binary64: a mask asked pair by pair,
// no tiles, no running maximum. Good for sanity; the proofs are the oracle's.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/case.hpp"

namespace attest {

inline bool pair_is_live(const Problem& p, Index b, Index i, Index j) {
  const Index lq = p.live_queries(b);
  const Index lk = p.live_keys(b);
  const Index off = p.align == Align::top_left ? 0 : lk - lq;
  const bool left = p.left == kUnlimited || i + off - p.left <= j;
  const bool right = p.right == kUnlimited || j <= i + off + p.right;
  return i < lq && j < lk && left && right;
}

struct PairwiseRow {
  bool dead = true;
  std::vector<double> o;
  double lse = -std::numeric_limits<double>::infinity();
  double largest_v = 0;
};

inline PairwiseRow pairwise_row(const Problem& p, const Inputs& inputs, Index b, Index h, Index i) {
  const Index kv = h / (p.heads_q / p.heads_k);
  std::vector<double> scores(static_cast<std::size_t>(p.n_k),
                             -std::numeric_limits<double>::infinity());
  PairwiseRow row;
  row.o.assign(static_cast<std::size_t>(p.d_v), 0.0);
  double m = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < p.n_k; ++j) {
    if (!pair_is_live(p, b, i, j)) continue;
    row.dead = false;
    double dot = 0;
    for (Index c = 0; c < p.d_qk; ++c) {
      dot += inputs.q.view().value(b, h, i, c) * inputs.k.view().value(b, kv, j, c);
    }
    scores[static_cast<std::size_t>(j)] = dot * static_cast<double>(p.scale);
    m = std::max(m, scores[static_cast<std::size_t>(j)]);
  }
  if (row.dead) return row;
  double l = 0;
  for (Index j = 0; j < p.n_k; ++j) {
    if (!pair_is_live(p, b, i, j)) continue;
    const double weight = std::exp(scores[static_cast<std::size_t>(j)] - m);
    l += weight;
    for (Index k = 0; k < p.d_v; ++k) {
      const double v = inputs.v.view().value(b, kv, j, k);
      row.o[static_cast<std::size_t>(k)] += weight * v;
      row.largest_v = std::max(row.largest_v, std::fabs(v));
    }
  }
  for (double& o : row.o) o /= l;
  row.lse = m + std::log(l);
  return row;
}

}  // namespace attest
