// tiled_forward.hpp - attention forward in one pass over the keys, as flash attention does it:
// 16-bit q, k, v, tile products, binary32 accumulators, online softmax. The score matrix is never
// stored.
//
// A block takes a tile of query rows of one head, a warp 16 of them; tiles of keys come through
// shared memory, those that no row of the block sees are skipped. Within one, V rows that no row of
// the block sees are loaded as zeros, so that nothing outside every row's band can reach an output.
#pragma once

#include "kernels/attention/exponent_form.hpp"
#include "kernels/attention/forward_arguments.hpp"
#include "kernels/attention/spilled_weights.hpp"
#include "kernels/attention/split_partials.hpp"
#include "kernels/attention/tiled_config.hpp"
#include "kernels/attention/warp_tiles.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element, int kHeadDim, TiledConfig kConfig>
struct TiledForward {
  static constexpr TilePlan kPlan = plan_for(kHeadDim, kConfig.most_warps, kConfig.most_keys);
  static constexpr int kThreads = kPlan.warps * kWarpSize;
  static constexpr int kPartsOfBlock = 1;
  static constexpr int kBarriers = 3;  // numbered from 1; tests leave each out
  static constexpr int kQueries = kPlan.queries();
  static constexpr int kKeys = kPlan.keys;
  static constexpr int kSharedBytes = kPlan.shared_bytes(kHeadDim);
  // Fragments of q stay in registers where the accumulator leaves room for them.
  static constexpr bool kHoldsQ = kHeadDim <= 128;
  static constexpr int kHeldSteps = kHoldsQ ? kHeadDim / 16 : 1;

  using Matrix = SharedMatrix<Element, kHeadDim>;
  using Scores = WarpTile<kKeys / 8>;
  using Output = WarpTile<kHeadDim / 8>;
  using HeldQ = WarpOperand<Element, kHeldSteps>;

  // What a row has gathered so far.
  struct RowState {
    float m = -INFINITY;  // running maximum of framed scores
    float l = 0;          // running sum of weights, of this lane's columns only
    KeyRange keys;        // what the row sees
  };

  ForwardArguments<Element> arg;
  SpilledWeights<Element, kConfig.spill_p> spilled{};
  KeyParts<Element, kConfig.split> parts{};

  static Grid grid(const ForwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kQueries - 1) / kQueries, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const std::int64_t q_row = arg.q_row(batch, head), k_row = arg.k_row(batch, head);
    const int lq = arg.lq.load(batch), lk = arg.lk.load(batch);
    const int part = x % parts.count();
    const int first_query = x / parts.count() * kQueries;
    const int warp_query = first_query + warp_index() * kTileRows;
    SharedArena arena;
    const Matrix q{arena.take<Element>(kQueries * Matrix::kStride)};
    const Matrix k{arena.take<Element>(kKeys * Matrix::kStride)};
    const Matrix v{arena.take<Element>(kKeys * Matrix::kStride)};

    const KeyRange seen = parts.clip(arg.band.of_rows(first_query, kQueries, lq, lk), part);
    const bool idle = kConfig.split && seen.empty();  // empty parts are common, and read nothing
    // A warp whose rows see nothing only helps to copy: its outputs do not depend on any product.
    const bool works = !parts.clip(arg.band.of_rows(warp_query, kTileRows, lq, lk), part).empty();
    copy_to_shared<kThreads>(q, kQueries, arg.q, q_row + first_query, arg.d_qk,
                             KeyRange{0, idle ? 0 : lq - first_query});
    HeldQ held;
    if constexpr (kHoldsQ) {
      barrier<1>();
      if (works) held = load_operand(q, warp_index() * kTileRows);
    }
    RowState rows[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      rows[r].keys = parts.clip(arg.band.of_row(warp_query + row_of_lane(r), lq, lk), part);
    }
    Output out;
    out.fill(0.0f);

    const int first_tile = seen.first / kKeys * kKeys;
    for (int first = first_tile; first < seen.last; first += kKeys) {
      load_keys(k, v, k_row + first, {seen.first - first, seen.last - first});
      barrier<2>();  // without barrier 1 (d = 256) it also stands between q's stores and loads
      if (works) {
        Scores s;
        s.fill(0.0f);
        multiply_scores(s, held, q, k);
        rescale_and_weigh(s, out, rows, first);
        auto weights = round_to_operand<Element>(s);
        if constexpr (kConfig.spill_p) spilled.pass(weights, arg, q_row, warp_query, first);
        multiply_by(out, weights, v);
      }
      barrier<3>();  // the next tile overwrites what slower warps may still read
    }
    write_rows(out, rows, warp_query, arg.n_q, q_row, part);
  }

 protected:
  template <int kNumber>
  ATTEST_DEVICE static void barrier(Where where = Where::current()) {
    static_assert(1 <= kNumber && kNumber <= kBarriers, "a barrier that no test would leave out");
    constexpr bool kFaulty = kNumber == 3 && kConfig.fault == MachineFault::missing_barrier;
    if constexpr (kNumber != kConfig.omitted_barrier && !kFaulty) sync_block(where);
  }

  // The rows of `seen`, counted from the tile's first; all others become zeros.
  ATTEST_DEVICE void load_keys(const Matrix& k, const Matrix& v, std::int64_t row,
                               KeyRange seen) const {
    if constexpr (kConfig.fault == MachineFault::read_past_tail) seen.last = kKeys;
    int loaded = kKeys;
    if constexpr (kConfig.fault == MachineFault::unwritten_tail) {
      loaded = seen.last < kKeys ? seen.last : kKeys;
    }
    copy_to_shared<kThreads>(k, loaded, arg.k, row, arg.d_qk, seen);
    copy_to_shared<kThreads>(v, loaded, arg.v, row, arg.d_v, seen);
  }

  ATTEST_DEVICE static void multiply_scores(Scores& s, const HeldQ& held, const Matrix& q,
                                            const Matrix& k) {
    if constexpr (kHoldsQ) {
      multiply_by_transposed(s, held, k);
    } else {
      ATTEST_UNROLL
      for (int step = 0; step < kHeadDim / 16; ++step) {
        multiply_step(s, load_step(q, warp_index() * kTileRows, step), k, step);
      }
    }
  }

  // Turns scores into weights relative to the new maximum, and brings what was summed before up to
  // it.
  ATTEST_DEVICE void rescale_and_weigh(Scores& s, Output& out, RowState (&rows)[kRowsOfLane],
                                       int first) const {
    const ExponentForm<kConfig.exponent> exponent{arg.scale_log2};
    float top[kRowsOfLane] = {rows[0].m, rows[1].m};
    s.for_each([&](int r, int column, float& score) {
      score = rows[r].keys.holds(first + column) ? exponent.framed(score) : -INFINITY;
      top[r] = fmaxf(top[r], score);
    });
    float shift[kRowsOfLane], rescale[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      if constexpr (kConfig.fault == MachineFault::divergent_collective) {
        if (!rows[r].keys.empty()) top[r] = max_over_row(top[r]);
      } else {
        top[r] = max_over_row(top[r]);
      }
      shift[r] = top[r] == -INFINITY ? 0.0f : top[r];  // no key yet: -inf - -inf would be NaN
      rescale[r] = exp2_by<kConfig.approximate>(exponent.of_rescale(rows[r].m, shift[r]));
      rows[r].m = top[r];
      rows[r].l = rows[r].l * rescale[r];
    }
    s.for_each([&](int r, int, float& score) {
      score = exp2_by<kConfig.approximate>(exponent.of_weight(score, shift[r]));
      if constexpr (kConfig.l_from == LFrom::rounded) {
        rows[r].l = rows[r].l + widen(round_to<Element>(score));
      } else {
        rows[r].l = rows[r].l + score;
      }
    });
    out.for_each([&](int r, int, float& value) { value = value * rescale[r]; });
  }

  // Of rows first_row .. first_row + 15 those below `rows_in_all`. Rows that see no key, those
  // beyond the length among them, are 0 and -inf; of a part -inf alone, which says it all.
  ATTEST_DEVICE void write_rows(Output& out, const RowState (&rows)[kRowsOfLane], int first_row,
                                int rows_in_all, std::int64_t q_row, int part) const {
    const ExponentForm<kConfig.exponent> exponent{arg.scale_log2};
    float sum[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      sum[r] = sum_over_row(rows[r].l);  // before the lanes part ways
      const int i = first_row + row_of_lane(r);
      if (i < rows_in_all && lane_index() % 4 == 0) {
        const float lse =
            exponent.unframed(rows[r].m, arg.scale) + log_by<kConfig.approximate>(sum[r]);
        parts.store_lse(arg, part, q_row + i, rows[r].keys.empty() ? -INFINITY : lse);
      }
    }
    out.for_each([&](int r, int column, float value) {
      const int i = first_row + row_of_lane(r);
      if (i >= rows_in_all || column >= arg.d_v) return;
      if (!rows[r].keys.empty()) {
        parts.store_o(arg, part, q_row + i, column, value / sum[r]);
      } else if constexpr (!kConfig.split) {
        arg.store_o(q_row + i, column, 0.0f);
      }
    });
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
