// backward_shapes.hpp - the shapes on which the machine's backward is tried.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace attest {

inline Problem backward_shape(Index n_q, Index n_k, Index d_qk, Index d_v) {
  Problem p;
  p.pass = Pass::bwd;
  p.heads_q = p.heads_k = 2;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = d_qk;
  p.d_v = d_v;
  p.scale = 0.25f;
  return p;
}

// Ragged tails, no keys, no queries, every padded head dimension, groups, lengths, windows, causal
// masks over more queries than keys and over fewer, gaps, both formats, binary32 outputs, gL.
inline std::vector<Problem> backward_shapes() {
  std::vector<Problem> all = {backward_shape(1, 1, 1, 1),     backward_shape(70, 100, 64, 64),
                              backward_shape(65, 33, 17, 40), backward_shape(40, 70, 72, 128),
                              backward_shape(20, 40, 256, 3), backward_shape(20, 37, 255, 129),
                              backward_shape(5, 0, 16, 16),   backward_shape(0, 5, 16, 16)};
  Problem group = backward_shape(70, 90, 33, 64);
  group.heads_q = 6;
  group.left = 20;
  group.right = 3;
  group.in = group.out = Format::bf16;
  all.push_back(group);
  Problem lengths = backward_shape(66, 80, 64, 65);
  lengths.heads_k = 1;
  lengths.batch = 3;
  lengths.lq = {66, 20, 0};
  lengths.lk = {70, 0, 80};
  lengths.right = 0;
  lengths.out = Format::f32;
  lengths.lse_gradient = true;
  all.push_back(lengths);
  Problem causal = backward_shape(20, 70, 128, 17);
  causal.right = 0;
  causal.in = causal.out = Format::bf16;
  causal.lse_gradient = true;
  all.push_back(causal);
  causal.n_q = 70;  // of which the first 50 see no key
  causal.n_k = 20;
  all.push_back(causal);
  Problem gap = backward_shape(20, 20, 16, 16);
  gap.left = -4;
  gap.right = 2;
  all.push_back(gap);
  return all;
}

}  // namespace attest
