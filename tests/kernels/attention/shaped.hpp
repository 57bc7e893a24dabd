// shaped.hpp - a problem of given sizes, two batch entries of two query heads that share a key
// head.
#pragma once

#include "core/problem.hpp"

namespace attest {

inline Problem shaped(Index n_q, Index n_k, Index d_qk, Index d_v) {
  Problem p;
  p.batch = 2;
  p.heads_q = 2;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = d_qk;
  p.d_v = d_v;
  p.scale = default_scale(d_qk);
  return p;
}

}  // namespace attest
