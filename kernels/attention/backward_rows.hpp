// backward_rows.hpp - what the backward does row by row, a lane each.
//
// Before anything else: D of each row, from the O that was stored, and zeros where dQ will be
// summed by atomics. At the end, where it was: dQ scaled and rounded.
#pragma once

#include "kernels/attention/backward_arguments.hpp"
#include "kernels/attention/backward_config.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// D_i = sum_k dout_ik o_ik - glse_i, one chain of fused multiply-adds and a subtraction. Of a row
// that sees no key nothing is read: it may hold anything.
template <class Element, BackwardConfig kConfig>
struct BackwardRowDots {
  static constexpr int kThreads = 128, kSharedBytes = 0;

  BackwardArguments<Element> arg;

  static Grid grid(const BackwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kThreads - 1) / kThreads, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const int i = x * kThreads + thread_index();
    if (i >= arg.n_q) return;
    const std::int64_t row = arg.q_row(batch, head) + i;
    float dot = 0.0f;
    if (!arg.band.of_row(i, arg.lq.load(batch), arg.lk.load(batch)).empty()) {
      for (std::int64_t k = row * arg.d_v; k < (row + 1) * arg.d_v; ++k) {
        dot = multiply_add(widen(arg.dout.load(k)), arg.load_o(k), dot);
      }
      if (arg.has_glse) dot = dot - arg.glse.load(row);
    }
    arg.row_dot.store(row, dot);
    if constexpr (kConfig.dq == DqBy::atomic_sums) {
      for (std::int64_t k = row * arg.d_qk; k < (row + 1) * arg.d_qk; ++k) {
        arg.dq_sum.store(k, 0.0f);
      }
    }
  }
};

// Rows that see no key, those beyond the length among them, are 0.
template <class Element, BackwardConfig kConfig>
struct BackwardRoundDq {
  static_assert(kConfig.dq == DqBy::atomic_sums, "nothing else leaves sums");
  static constexpr int kThreads = 128, kSharedBytes = 0;

  BackwardArguments<Element> arg;

  static Grid grid(const BackwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kThreads - 1) / kThreads, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const int i = x * kThreads + thread_index();
    if (i >= arg.n_q) return;
    const std::int64_t row = arg.q_row(batch, head) + i;
    const bool dead = arg.band.of_row(i, arg.lq.load(batch), arg.lk.load(batch)).empty();
    for (std::int64_t k = row * arg.d_qk; k < (row + 1) * arg.d_qk; ++k) {
      arg.store(arg.dq, k, dead ? 0.0f : arg.dq_sum.load(k) * arg.scale);
    }
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
