// split_combine.hpp - the kernel that makes one O and one LSE of the parts' own.
//
// A warp takes a row and deals its columns to its lanes. LSEs of 32 parts at a time come through
// shared memory, one loaded by each lane, so that none is read twice in a pass.
#pragma once

#include "core/numerics.hpp"
#include "kernels/attention/split_merge.hpp"
#include "kernels/attention/split_partials.hpp"
#include "kernels/attention/tile_plan.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element>
struct SplitCombine {
  static constexpr int kRows = 4;
  static constexpr int kThreads = kRows * kWarpSize;
  static constexpr int kSharedBytes = kThreads * int(sizeof(float));
  static constexpr int kColumnsOfLane = kLargestHeadDim / kWarpSize;

  ForwardArguments<Element> arg;
  SplitPartials<Element> partials;
  Combine combine;

  static Grid grid(const ForwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kRows - 1) / kRows, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const int i = x * kRows + warp_index();
    if (i >= arg.n_q) return;  // a whole warp
    const std::int64_t row = arg.q_row(batch, head) + i;
    const bool dead = arg.band.of_row(i, arg.lq.load(batch), arg.lk.load(batch)).empty();
    SharedArena arena;
    const SharedSpan<float> held = arena.take<float>(kThreads);
    float sums[kColumnsOfLane] = {};
    MergedParts merged;

    if (combine == Combine::divide) {
      for_each_part(held, row, [&](int part, float lse) {
        const auto step = merged.take(lse);
        for_each_column([&](int n, int column) {
          sums[n] = step.of(sums[n], partials.load(part, row, column));
        });
      });
      for_each_column([&](int n, int) { sums[n] = sums[n] / merged.l; });
    } else {
      for_each_part(held, row, [&](int, float lse) { merged.take(lse); });
      const float whole = merged.lse();
      for_each_part(held, row, [&](int part, float lse) {
        const float weight = part_weight(lse - whole);
        for_each_column([&](int n, int column) {
          sums[n] = sums[n] + weight * partials.load(part, row, column);
        });
      });
    }
    // Rows that see no key, those beyond the length among them, are 0 and -inf.
    for_each_column([&](int n, int column) { arg.store_o(row, column, dead ? 0.0f : sums[n]); });
    if (lane_index() == 0) arg.lse.store(row, dead ? -INFINITY : merged.lse());
  }

 private:
  // act(part, its LSE) in ascending order, by all lanes, for each part that holds a key.
  template <class Act>
  ATTEST_DEVICE void for_each_part(const SharedSpan<float>& held, std::int64_t row, Act act) const {
    const int own = warp_index() * kWarpSize;
    for (int first = 0; first < partials.parts; first += kWarpSize) {
      const int mine = first + lane_index();
      held.store(own + lane_index(),
                 mine < partials.parts ? partials.lse.load(partials.at(mine, row)) : -INFINITY);
      sync_warp();
      for (int n = 0; n < kWarpSize && first + n < partials.parts; ++n) {
        const float lse = held.load(own + n);
        if (lse != -INFINITY) act(first + n, lse);
      }
      sync_warp();  // the next LSEs overwrite what slower lanes may still read
    }
  }

  template <class Act>
  ATTEST_DEVICE void for_each_column(Act act) const {
    ATTEST_UNROLL
    for (int n = 0; n < kColumnsOfLane; ++n) {
      const int column = lane_index() + n * kWarpSize;
      if (column < arg.d_v) act(n, column);
    }
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
