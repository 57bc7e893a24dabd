// materialising_outputs.hpp - O = P V, the third kernel of materialising attention.
//
// A block takes a tile of query rows of one head and walks over the tiles of keys that one of them
// sees. V rows that none of them sees are loaded as zeros, and so are weights of dead pairs.
#pragma once

#include "kernels/attention/materialising_arguments.hpp"
#include "kernels/attention/warp_tiles.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// kHeadDim: that of v, padded.
template <class Element, class Stored, int kHeadDim>
struct MaterialisingOutputs {
  static constexpr TilePlan kPlan = product_plan(kHeadDim);
  static constexpr int kThreads = kPlan.warps * kWarpSize;
  static constexpr int kQueries = kPlan.queries();
  static constexpr int kKeys = kPlan.keys;
  using Weights = SharedMatrix<Element, kKeys>;
  using Values = SharedMatrix<Element, kHeadDim>;
  using Output = WarpTile<kHeadDim / 8>;
  static constexpr int kSharedBytes = Weights::bytes(kQueries) + Values::bytes(kKeys);

  MaterialisingArguments<Element, Stored> arg;

  static Grid grid(const ForwardArguments<Element>& arg, int batch) {
    return {(arg.n_q + kQueries - 1) / kQueries, arg.heads_q, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, head, batch] = block_index();
    const ForwardArguments<Element>& f = arg.forward;
    const std::int64_t q_row = f.q_row(batch, head), k_row = f.k_row(batch, head);
    const int lq = f.lq.load(batch), lk = f.lk.load(batch);
    const int first_query = x * kQueries;
    SharedArena arena;
    const Weights p{arena.take<Element>(kQueries * Weights::kStride)};
    const Values v{arena.take<Element>(kKeys * Values::kStride)};
    Output out;
    out.fill(0.0f);

    const KeyRange seen = f.band.of_rows(first_query, kQueries, lq, lk);
    const int first_tile = seen.first / kKeys * kKeys;
    const int warp_query = first_query + warp_index() * kTileRows;
    // A warp whose rows see nothing only helps to load: they are zeros without any product.
    const bool works = !f.band.of_rows(warp_query, kTileRows, lq, lk).empty();
    for (int first = first_tile; first < seen.last; first += kKeys) {
      load_weights(p, q_row, first_query, first, lq, lk);
      copy_to_shared<kThreads>(v, kKeys, f.v, k_row + first, f.d_v,
                               KeyRange{seen.first - first, seen.last - first});
      sync_block();
      if (works) multiply_by(out, load_operand(p, warp_index() * kTileRows), v);
      sync_block();  // the next tile overwrites what slower warps may still read
    }
    write_rows(out, q_row, warp_query, lq, lk);
  }

 private:
  ATTEST_DEVICE void load_weights(const Weights& p, std::int64_t q_row, int first_query,
                                  int first_key, int lq, int lk) const {
    for (int n = thread_index(); n < kQueries * kKeys; n += kThreads) {
      const int row = n / kKeys, column = n % kKeys;
      const int i = first_query + row, j = first_key + column;
      Element weight{};
      if (arg.forward.band.of_row(i, lq, lk).holds(j)) {
        weight = arg.p.load(arg.pairs_of(q_row + i) + j);
      }
      p.span.store(row * p.kStride + column, weight);
    }
  }

  // Rows that see no key are zeros; a NaN among their neighbours' values would have spoilt them.
  ATTEST_DEVICE void write_rows(Output& out, std::int64_t q_row, int warp_query, int lq,
                                int lk) const {
    const ForwardArguments<Element>& f = arg.forward;
    bool sees[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      sees[r] = !f.band.of_row(warp_query + row_of_lane(r), lq, lk).empty();
    }
    out.for_each([&](int r, int column, float value) {
      const int i = warp_query + row_of_lane(r);
      if (i >= f.n_q || column >= f.d_v) return;
      f.store_o(q_row + i, column, sees[r] ? value : 0.0f);
    });
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
