// materialising_weights.hpp - mask, scale and softmax, the second kernel of materialising
// attention: S to P and the LSE.
//
// A warp takes a row and deals its live keys to its lanes in turn. Each score is loaded once and
// kept in shared memory, whose size therefore limits the number of keys. A lane meets only its own
// keys there, so that nothing need be waited for.
#pragma once

#include "kernels/attention/exponent_form.hpp"
#include "kernels/attention/materialising_arguments.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// All lanes of a warp get the result; all must come.
ATTEST_DEVICE float max_over_warp(float x, Where where = Where::current()) {
  ATTEST_UNROLL
  for (int mask = 1; mask < kWarpSize; mask *= 2) x = fmaxf(x, shuffle_xor(x, mask, where));
  return x;
}
ATTEST_DEVICE float sum_over_warp(float x, Where where = Where::current()) {
  ATTEST_UNROLL
  for (int mask = 1; mask < kWarpSize; mask *= 2) x = x + shuffle_xor(x, mask, where);
  return x;
}

// kRows: how many rows a block takes. Requires: n_k <= kMostKeys.
template <class Element, class Stored, int kRows>
struct MaterialisingWeights {
  static constexpr int kThreads = kRows * kWarpSize;
  static constexpr int kSharedBytes = kSharedBudget;
  static constexpr int kMostKeys = kSharedBudget / (kRows * int(sizeof(float)));

  MaterialisingArguments<Element, Stored> arg;

  static Grid grid(const ForwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kRows - 1) / kRows, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const ForwardArguments<Element>& f = arg.forward;
    const int i = x * kRows + warp_index();
    if (i >= f.n_q) return;  // a whole warp
    const std::int64_t row = f.q_row(batch, head) + i;
    const KeyRange keys = f.band.of_row(i, f.lq.load(batch), f.lk.load(batch));
    const std::int64_t first = arg.pairs_of(row) + keys.first;
    const int count = keys.empty() ? 0 : keys.last - keys.first;
    SharedArena arena;
    const SharedSpan<float> held = arena.take<float>(kRows * kMostKeys);
    const int held_first = warp_index() * kMostKeys;
    const ExponentForm<Exponent::difference_first> exponent{f.scale_log2};

    float top = -INFINITY;
    for (int n = lane_index(); n < count; n += kWarpSize) {
      const float score = arg.load_score(first + n);
      held.store(held_first + n, score);
      top = fmaxf(top, exponent.framed(score));
    }
    top = max_over_warp(top);
    const float shift = top == -INFINITY ? 0.0f : top;  // no finite score: -inf - -inf would be NaN
    float sum = 0;
    for (int n = lane_index(); n < count; n += kWarpSize) {
      const float score = exponent.framed(held.load(held_first + n));
      const float weight = exp2_poly(exponent.of_weight(score, shift));
      held.store(held_first + n, weight);
      sum = sum + weight;
    }
    sum = sum_over_warp(sum);
    for (int n = lane_index(); n < count; n += kWarpSize) {
      arg.p.store(first + n, round_to<Element>(held.load(held_first + n) / sum));
    }
    // Rows that see no key, those beyond the length among them, have an LSE of -inf.
    if (lane_index() != 0) return;
    const float lse = exponent.unframed(top, f.scale) + log_poly(sum);
    f.lse.store(row, count == 0 ? -INFINITY : lse);
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
