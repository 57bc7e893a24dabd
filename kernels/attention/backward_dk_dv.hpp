// backward_dk_dv.hpp - dK and dV by tiles of keys; dQ too, where it is summed by atomics.
//
// A block takes a tile of keys of one key head, a warp 16 of them. The queries of every head of the
// group pass by in tiles, those that see no key of the block are skipped. Scores are held
// transposed, keys as rows: p and dS are then left operands of dV += p dout and dK += dS q without
// an exchange, and dK and dV stay in registers until the end. Only dQ needs dS the other way round,
// by way of shared memory.
//
// Rows that no pair of the block touches are loaded as zeros, so that nothing outside the band can
// reach an output.
#pragma once

#include "kernels/attention/backward_arguments.hpp"
#include "kernels/attention/backward_plan.hpp"
#include "kernels/attention/recomputed_weights.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element, int kHeadDim, BackwardConfig kConfig>
struct BackwardDkDv {
  static constexpr BackwardPlan kPlan = backward_plan(kHeadDim);
  static constexpr int kKeys = kPlan.own;
  static constexpr int kQueries = kPlan.passing;
  static constexpr int kWarpsOfKeys = warps_of_keys(kHeadDim);
  static constexpr int kColumnsOfWarp = kHeadDim / kWarpsOfKeys;
  static constexpr int kWarps = kKeys / kTileRows * kWarpsOfKeys;
  static constexpr int kThreads = kWarps * kWarpSize;
  static constexpr int kSharedBytes = kPlan.shared_bytes(kHeadDim);
  static constexpr int kBarriers = 2;  // numbered from 1; tests leave each out
  static constexpr bool kAddsDq = kConfig.dq == DqBy::atomic_sums;
  static constexpr int kDqColumns = 32;  // that a warp multiplies at a time

  using Matrix = SharedMatrix<Element, kHeadDim>;
  using Square = SharedMatrix<Element, kKeys>;
  using Pairs = WarpTile<kQueries / 8>;
  using Gradient = WarpTile<kColumnsOfWarp / 8>;

  // What a block holds in shared memory.
  struct Shared {
    Matrix k, v, q, dout;
    SharedSpan<float> framed_lse, dot;  // of the tile's queries
    Square ds;                          // queries as rows
  };

  BackwardArguments<Element> arg;

  static Grid grid(const BackwardArguments<Element>& arg, int batch) {
    return {(arg.n_k + kKeys - 1) / kKeys, arg.heads_k, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, key_head, batch] = block_index();
    const int lq = arg.lq.load(batch), lk = arg.lk.load(batch);
    const int first_key = x * kKeys;
    const std::int64_t k_row = arg.k_row_of_key_head(batch, key_head) + first_key;
    const Shared shared = take_shared();
    load_keys(shared, k_row, arg.band.of_rows(0, lq, lq, lk), first_key);
    QueryRange see[kRowsOfLane];  // the lane's keys
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      see[r] = arg.band.of_key(first_key + warp_key() + row_of_lane(r), lq, lk);
    }
    Gradient dk, dv;
    dk.fill(0.0f);
    dv.fill(0.0f);

    const QueryRange seen = arg.band.of_keys(first_key, kKeys, lq, lk);
    // A warp whose keys nobody sees only helps to copy: its dK and dV are 0 without any product.
    // For dQ, its part of dS must be stored.
    const bool works =
        kAddsDq || !arg.band.of_keys(first_key + warp_key(), kTileRows, lq, lk).empty();
    const int first_tile = seen.first / kQueries * kQueries;
    const int group = arg.heads_of_group();
    for (int head = key_head * group; head < (key_head + 1) * group; ++head) {
      const std::int64_t q_row = arg.q_row(batch, head);
      for (int first = first_tile; first < seen.last; first += kQueries) {
        load_queries(shared, q_row + first, {seen.first - first, seen.last - first});
        barrier<1>();
        if (works) add_tile(dk, dv, shared, see, first);
        barrier<2>();  // the next tile overwrites what slower warps may still read
        if constexpr (kAddsDq) {
          add_to_dq(shared, q_row + first, {seen.first - first, seen.last - first});
        }
      }
    }
    write_rows(arg.dk, dk, arg.scale, see, k_row, first_key, arg.d_qk);
    write_rows(arg.dv, dv, 1.0f, see, k_row, first_key, arg.d_v);
  }

 private:
  template <int kNumber>
  ATTEST_DEVICE static void barrier(Where where = Where::current()) {
    static_assert(1 <= kNumber && kNumber <= kBarriers, "a barrier that no test would leave out");
    if constexpr (kNumber != kConfig.omitted_barrier) sync_block(where);
  }

  ATTEST_DEVICE SavedExponent exponent() const { return {arg.weights, arg.scale, arg.scale_log2}; }
  // The warp's first key within the block, and its first column of dK and dV.
  ATTEST_DEVICE static int warp_key() { return warp_index() / kWarpsOfKeys * kTileRows; }
  ATTEST_DEVICE static int warp_column() { return warp_index() % kWarpsOfKeys * kColumnsOfWarp; }

  ATTEST_DEVICE static Shared take_shared() {
    SharedArena arena;
    Shared shared;
    shared.k.span = arena.take<Element>(kKeys * Matrix::kStride);
    shared.v.span = arena.take<Element>(kKeys * Matrix::kStride);
    shared.q.span = arena.take<Element>(kQueries * Matrix::kStride);
    shared.dout.span = arena.take<Element>(kQueries * Matrix::kStride);
    shared.framed_lse = arena.take<float>(kQueries);
    shared.dot = arena.take<float>(kQueries);
    if constexpr (kAddsDq) shared.ds.span = arena.take<Element>(kQueries * Square::kStride);
    return shared;
  }

  // Of the block's keys those that any row sees.
  ATTEST_DEVICE void load_keys(const Shared& shared, std::int64_t k_row, KeyRange seen,
                               int first_key) const {
    const KeyRange valid{seen.first - first_key, seen.last - first_key};
    copy_to_shared<kThreads>(shared.k, kKeys, arg.k, k_row, arg.d_qk, valid);
    copy_to_shared<kThreads>(shared.v, kKeys, arg.v, k_row, arg.d_v, valid);
  }

  // The rows of `valid`, counted from q_row. The LSE of any other may be -inf.
  ATTEST_DEVICE void load_queries(const Shared& shared, std::int64_t q_row,
                                  QueryRange valid) const {
    copy_to_shared<kThreads>(shared.q, kQueries, arg.q, q_row, arg.d_qk, valid);
    copy_to_shared<kThreads>(shared.dout, kQueries, arg.dout, q_row, arg.d_v, valid);
    for (int i = thread_index(); i < kQueries; i += kThreads) {
      const bool holds = valid.holds(i);
      const float lse = holds ? arg.lse.load(q_row + i) : 0.0f;
      shared.framed_lse.store(i, exponent().framed(lse));
      shared.dot.store(i, holds ? arg.row_dot.load(q_row + i) : 0.0f);
    }
  }

  ATTEST_DEVICE void add_tile(Gradient& dk, Gradient& dv, const Shared& shared,
                              const QueryRange (&see)[kRowsOfLane], int first) const {
    Pairs p, ds;
    p.fill(0.0f);
    ds.fill(0.0f);
    multiply_rows_by_transposed(p, shared.k, warp_key(), shared.q);
    multiply_rows_by_transposed(ds, shared.v, warp_key(), shared.dout);
    weigh_pairs(p, ds, exponent(), [&](int r, int column) {
      return PairOfRow{see[r].holds(first + column), shared.framed_lse.load(column),
                       shared.dot.load(column)};
    });
    multiply_by_columns(dv, round_to_operand<Element>(p), shared.dout, warp_column());
    multiply_by_columns(dk, round_to_operand<Element>(ds), shared.q, warp_column());
    if constexpr (kAddsDq) {
      if (warp_column() == 0) {  // warps that share keys have the same dS
        ds.for_each([&](int r, int column, float value) {
          shared.ds.span.store(column * Square::kStride + warp_key() + row_of_lane(r),
                               round_to<Element>(value));
        });
      }
    }
  }

  // The tile's share of dQ, 16 rows and a few columns at a time, spread over the warps.
  ATTEST_DEVICE void add_to_dq(const Shared& shared, std::int64_t q_row, QueryRange valid) const {
    constexpr int kSlices = kHeadDim / kDqColumns;
    static_assert(kQueries / kTileRows * kSlices % kWarps == 0, "each warp has as many");
    for (int n = warp_index(); n < kQueries / kTileRows * kSlices; n += kWarps) {
      const int first_row = n / kSlices * kTileRows, first_column = n % kSlices * kDqColumns;
      WarpTile<kDqColumns / 8> share;
      share.fill(0.0f);
      multiply_by_columns(share, load_operand(shared.ds, first_row), shared.k, first_column);
      share.for_each([&](int r, int column, float value) {
        const int row = first_row + row_of_lane(r);
        if (!valid.holds(row) || first_column + column >= arg.d_qk) return;
        arg.dq_sum.atomic_add((q_row + row) * arg.d_qk + first_column + column, value);
      });
    }
  }

  // Keys that no row sees, those beyond the length among them, are 0.
  ATTEST_DEVICE void write_rows(const GradientSpan<Element>& to, Gradient& gradient, float factor,
                                const QueryRange (&see)[kRowsOfLane], std::int64_t k_row,
                                int first_key, int width) const {
    gradient.for_each([&](int r, int column, float value) {
      const int row = warp_key() + row_of_lane(r), k = warp_column() + column;
      if (first_key + row >= arg.n_k || k >= width) return;
      arg.store(to, (k_row + row) * width + k, see[r].empty() ? 0.0f : value * factor);
    });
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
