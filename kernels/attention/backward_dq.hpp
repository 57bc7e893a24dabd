// backward_dq.hpp - dQ by tiles of queries: a second pass over the keys, whose sums have one order.
//
// A block takes a tile of query rows of one head, a warp 16 of them; tiles of keys come through
// shared memory as in the forward, and dQ stays in registers until the end.
#pragma once

#include "kernels/attention/backward_arguments.hpp"
#include "kernels/attention/backward_plan.hpp"
#include "kernels/attention/recomputed_weights.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element, int kHeadDim, BackwardConfig kConfig>
struct BackwardDq {
  static_assert(kConfig.dq == DqBy::second_pass, "dQ would be computed twice");
  static constexpr BackwardPlan kPlan = backward_plan(kHeadDim);
  static constexpr int kQueries = kPlan.own;
  static constexpr int kKeys = kPlan.passing;
  static constexpr int kThreads = kQueries / kTileRows * kWarpSize;
  static constexpr int kSharedBytes = kPlan.shared_bytes(kHeadDim);
  static constexpr int kFirstBarrier = 3, kBarriers = 4;  // numbered on; tests leave each out

  using Matrix = SharedMatrix<Element, kHeadDim>;
  using Pairs = WarpTile<kKeys / 8>;
  using Gradient = WarpTile<kHeadDim / 8>;

  // What a row keeps.
  struct RowState {
    float framed_lse = 0;
    float dot = 0;
    KeyRange keys;  // what the row sees
  };

  BackwardArguments<Element> arg;

  static Grid grid(const BackwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kQueries - 1) / kQueries, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const int lq = arg.lq.load(batch), lk = arg.lk.load(batch);
    const int first_query = x * kQueries;
    const std::int64_t q_row = arg.q_row(batch, head) + first_query;
    const std::int64_t k_row = arg.k_row(batch, head);
    SharedArena arena;
    const Matrix q{arena.take<Element>(kQueries * Matrix::kStride)};
    const Matrix dout{arena.take<Element>(kQueries * Matrix::kStride)};
    const Matrix k{arena.take<Element>(kKeys * Matrix::kStride)};
    const Matrix v{arena.take<Element>(kKeys * Matrix::kStride)};

    const QueryRange valid = queries_that_see(first_query, lq, lk);
    copy_to_shared<kThreads>(q, kQueries, arg.q, q_row, arg.d_qk, valid);
    copy_to_shared<kThreads>(dout, kQueries, arg.dout, q_row, arg.d_v, valid);
    RowState rows[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) rows[r] = state_of(first_query, r, q_row, lq, lk);
    Gradient dq;
    dq.fill(0.0f);

    const KeyRange seen = arg.band.of_rows(first_query, kQueries, lq, lk);
    // A warp whose rows see nothing only helps to copy: its dQ is 0 without any product.
    const bool works = !arg.band.of_rows(first_query + warp_query(), kTileRows, lq, lk).empty();
    for (int first = seen.first / kKeys * kKeys; first < seen.last; first += kKeys) {
      const KeyRange loaded{seen.first - first, seen.last - first};
      copy_to_shared<kThreads>(k, kKeys, arg.k, k_row + first, arg.d_qk, loaded);
      copy_to_shared<kThreads>(v, kKeys, arg.v, k_row + first, arg.d_v, loaded);
      barrier<3>();  // the first time also between the stores and the loads of q and dout
      if (works) {
        Pairs p, ds;
        p.fill(0.0f);
        ds.fill(0.0f);
        multiply_rows_by_transposed(p, q, warp_query(), k);
        multiply_rows_by_transposed(ds, dout, warp_query(), v);
        weigh_pairs(p, ds, exponent(), [&](int r, int column) {
          return PairOfRow{rows[r].keys.holds(first + column), rows[r].framed_lse, rows[r].dot};
        });
        multiply_by(dq, round_to_operand<Element>(ds), k);
      }
      barrier<4>();  // the next tile overwrites what slower warps may still read
    }
    write_rows(dq, rows, first_query, q_row);
  }

 private:
  template <int kNumber>
  ATTEST_DEVICE static void barrier(Where where = Where::current()) {
    static_assert(kFirstBarrier <= kNumber && kNumber <= kBarriers,
                  "a barrier that no test would leave out");
    if constexpr (kNumber != kConfig.omitted_barrier) sync_block(where);
  }

  ATTEST_DEVICE SavedExponent exponent() const { return {arg.weights, arg.scale, arg.scale_log2}; }
  // The warp's first query within the block.
  ATTEST_DEVICE static int warp_query() { return warp_index() * kTileRows; }

  // The block's queries that see a key, counted from its first.
  ATTEST_DEVICE QueryRange queries_that_see(int first_query, int lq, int lk) const {
    const QueryRange see = arg.band.of_keys(0, lk, lq, lk);
    return {see.first - first_query, see.last - first_query};
  }

  // The LSE of a row that sees no key is -inf: no exponent is computed from it.
  ATTEST_DEVICE RowState state_of(int first_query, int r, std::int64_t q_row, int lq,
                                  int lk) const {
    const int row = warp_query() + row_of_lane(r);
    RowState state;
    state.keys = arg.band.of_row(first_query + row, lq, lk);
    if (!state.keys.empty()) {
      state.framed_lse = exponent().framed(arg.lse.load(q_row + row));
      state.dot = arg.row_dot.load(q_row + row);
    }
    return state;
  }

  // Rows that see no key, those beyond the length among them, are 0.
  ATTEST_DEVICE void write_rows(Gradient& dq, const RowState (&rows)[kRowsOfLane], int first_query,
                                std::int64_t q_row) const {
    dq.for_each([&](int r, int column, float value) {
      const int row = warp_query() + row_of_lane(r);
      if (first_query + row >= arg.n_q || column >= arg.d_qk) return;
      arg.store(arg.dq, (q_row + row) * arg.d_qk + column,
                rows[r].keys.empty() ? 0.0f : value * arg.scale);
    });
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
