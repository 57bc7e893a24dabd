// materialising_scores.hpp - S = Q K^T, the first kernel of materialising attention.
//
// A block takes a tile of query rows of one head and walks over the tiles of keys that one of them
// sees.
#pragma once

#include "kernels/attention/materialising_arguments.hpp"
#include "kernels/attention/warp_tiles.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// kHeadDim: that of q and k, padded.
template <class Element, class Stored, int kHeadDim>
struct MaterialisingScores {
  static constexpr TilePlan kPlan = product_plan(kHeadDim);
  static constexpr int kThreads = kPlan.warps * kWarpSize;
  static constexpr int kQueries = kPlan.queries();
  static constexpr int kKeys = kPlan.keys;
  using Matrix = SharedMatrix<Element, kHeadDim>;
  static constexpr int kSharedBytes = Matrix::bytes(kQueries + kKeys);

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
    const int warp_query = first_query + warp_index() * kTileRows;
    SharedArena arena;
    const Matrix q{arena.take<Element>(kQueries * Matrix::kStride)};
    const Matrix k{arena.take<Element>(kKeys * Matrix::kStride)};

    copy_to_shared<kThreads>(q, kQueries, f.q, q_row + first_query, f.d_qk,
                             KeyRange{0, lq - first_query});
    const KeyRange seen = f.band.of_rows(first_query, kQueries, lq, lk);
    const int first_tile = seen.first / kKeys * kKeys;
    // A warp whose rows see nothing only helps to copy.
    const bool works = !f.band.of_rows(warp_query, kTileRows, lq, lk).empty();
    for (int first = first_tile; first < seen.last; first += kKeys) {
      copy_to_shared<kThreads>(k, kKeys, f.k, k_row + first, f.d_qk,
                               KeyRange{seen.first - first, seen.last - first});
      sync_block();  // for q, too, the first time
      if (works) {
        WarpTile<kKeys / 8> scores;
        scores.fill(0.0f);
        ATTEST_UNROLL
        for (int step = 0; step < kHeadDim / 16; ++step) {
          multiply_step(scores, load_step(q, warp_index() * kTileRows, step), k, step);
        }
        store_live(scores, q_row, warp_query, first, lq, lk);
      }
      sync_block();  // the next tile overwrites what slower warps may still read
    }
  }

 private:
  ATTEST_DEVICE void store_live(WarpTile<kKeys / 8>& scores, std::int64_t q_row, int warp_query,
                                int first_key, int lq, int lk) const {
    KeyRange keys[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      keys[r] = arg.forward.band.of_row(warp_query + row_of_lane(r), lq, lk);
    }
    scores.for_each([&](int r, int column, float score) {
      const int key = first_key + column;
      if (!keys[r].holds(key)) return;
      arg.store_score(arg.pairs_of(q_row + warp_query + row_of_lane(r)) + key, score);
    });
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
