// problem_arguments.hpp - what every kernel is told about its problem beside the tensors, in terms
// of the machine.
#pragma once

#include "kernels/attention/band.hpp"
#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// All tensors are row-major without gaps: q [batch, heads_q, n_q, d_qk], k [batch, heads_k, n_k,
// d_qk], v [batch, heads_k, n_k, d_v], o [batch, heads_q, n_q, d_v], lse [batch, heads_q, n_q]; lq,
// lk [batch].
struct ProblemArguments {
  GlobalSpan<const int> lq, lk;
  int heads_q, heads_k, n_q, n_k, d_qk, d_v;
  bool wide;  // outputs are binary32
  Band band;
  float scale;
  float scale_log2;  // scale * log2(e), rounded once

  // Neighbouring query heads share a key head.
  ATTEST_DEVICE int heads_of_group() const { return heads_q / heads_k; }
  // Where a head's rows begin, among all of q and o, and among all of k and v.
  ATTEST_DEVICE std::int64_t q_row(int batch, int head) const {
    return (std::int64_t(batch) * heads_q + head) * n_q;
  }
  ATTEST_DEVICE std::int64_t k_row_of_key_head(int batch, int key_head) const {
    return (std::int64_t(batch) * heads_k + key_head) * n_k;
  }
  ATTEST_DEVICE std::int64_t k_row(int batch, int head) const {
    return k_row_of_key_head(batch, head / heads_of_group());
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
