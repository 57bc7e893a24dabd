// pairwise_gradients.hpp - gradients of attention as their definition reads, in binary64, pair by
// pair. Good for sanity; the proofs are the oracle's.
#pragma once

#include <cmath>
#include <vector>

#include "tests/kernels/pairwise_softmax.hpp"

namespace attest {

// Row-major, in the order of the tensor. `scale_of` is the sum of the magnitudes of all terms whose
// sum the gradient is: what a rounding error is small against.
struct PairwiseTensor {
  Extents extents;
  std::vector<double> value;
  std::vector<double> scale_of;

  explicit PairwiseTensor(const Extents& extents_in)
      : extents(extents_in),
        value(static_cast<std::size_t>(volume(extents))),
        scale_of(value.size()) {}

  [[nodiscard]] std::size_t at(Index b, Index h, Index row, Index column) const {
    return static_cast<std::size_t>(((b * extents[1] + h) * extents[2] + row) * extents[3] +
                                    column);
  }
  void add(std::size_t n, double term, double magnitude) {
    value[n] += term;
    scale_of[n] += magnitude;
  }
};

struct PairwiseGradients {
  PairwiseTensor dq;
  PairwiseTensor dk;
  PairwiseTensor dv;
};

inline void add_pair(const Problem& p, const Inputs& inputs, const PairwiseRow& row, Index b,
                     Index h, Index i, Index j, PairwiseGradients& sums) {
  const Index kv = h / (p.heads_q / p.heads_k);
  const double scale = p.scale;
  double score = 0;
  for (Index c = 0; c < p.d_qk; ++c) {
    score += inputs.q.view().value(b, h, i, c) * inputs.k.view().value(b, kv, j, c);
  }
  const double pi = std::exp(score * scale - row.lse);
  double ds = p.lse_gradient ? inputs.glse.view().value(b, h, i, 0) : 0;  // (dP - D) / pi
  double magnitude = std::fabs(ds);
  for (Index k = 0; k < p.d_v; ++k) {
    const double dout = inputs.dout.view().value(b, h, i, k);
    const double v = inputs.v.view().value(b, kv, j, k);
    const double o = row.o[static_cast<std::size_t>(k)];
    ds += dout * (v - o);
    magnitude += std::fabs(dout) * (std::fabs(v) + std::fabs(o));
    sums.dv.add(sums.dv.at(b, kv, j, k), pi * dout, pi * std::fabs(dout));
  }
  for (Index c = 0; c < p.d_qk; ++c) {
    const double q = inputs.q.view().value(b, h, i, c);
    const double k = inputs.k.view().value(b, kv, j, c);
    sums.dq.add(sums.dq.at(b, h, i, c), scale * pi * ds * k, scale * pi * magnitude * std::fabs(k));
    sums.dk.add(sums.dk.at(b, kv, j, c), scale * pi * ds * q,
                scale * pi * magnitude * std::fabs(q));
  }
}

inline PairwiseGradients pairwise_gradients(const Problem& p, const Inputs& inputs) {
  PairwiseGradients sums{PairwiseTensor(p.q_extents()), PairwiseTensor(p.k_extents()),
                         PairwiseTensor(p.v_extents())};
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      for (Index i = 0; i < p.n_q; ++i) {
        const PairwiseRow row = pairwise_row(p, inputs, b, h, i);
        for (Index j = 0; j < p.n_k && !row.dead; ++j) {
          if (pair_is_live(p, b, i, j)) add_pair(p, inputs, row, b, h, i, j, sums);
        }
      }
    }
  }
  return sums;
}

}  // namespace attest
