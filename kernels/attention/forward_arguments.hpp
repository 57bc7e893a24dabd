// forward_arguments.hpp - what a forward kernel is told, in terms of the machine.
#pragma once

#include "kernels/attention/band.hpp"
#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// Row-major without gaps: q [batch, heads_q, n_q, d_qk], k [batch, heads_k, n_k, d_qk], v [batch,
// heads_k, n_k, d_v], o [batch, heads_q, n_q, d_v], lse [batch, heads_q, n_q]; lq, lk [batch].
template <class Element>
struct ForwardArguments {
  GlobalSpan<const Element> q, k, v;
  GlobalSpan<Element> o;
  GlobalSpan<float> o_wide;  // in place of o, where outputs are binary32
  GlobalSpan<float> lse;
  GlobalSpan<const int> lq, lk;
  int heads_q, heads_k, n_q, n_k, d_qk, d_v;
  bool wide;
  Band band;
  float scale;
  float scale_log2;  // scale * log2(e), rounded once

  ATTEST_DEVICE std::int64_t q_row(int batch, int head) const {
    return (std::int64_t(batch) * heads_q + head) * n_q;
  }
  // Neighbouring query heads share a key head.
  ATTEST_DEVICE std::int64_t k_row(int batch, int head) const {
    return (std::int64_t(batch) * heads_k + head / (heads_q / heads_k)) * n_k;
  }
  ATTEST_DEVICE void store_o(std::int64_t row, int column, float value,
                             Where where = Where::current()) const {
    if (wide) {
      o_wide.store(row * d_v + column, value, where);
    } else {
      o.store(row * d_v + column, round_to<Element>(value), where);
    }
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
