// decode_forward.hpp - attention of few queries: the query heads that share a key head are packed
// into one tile of rows, and every warp of a block takes a part of the keys.
//
// The rows of a group lie one after the other in q, head by head, so that a tile of 16 of them is
// one left operand for the group's keys; one head alone would leave it nearly empty. Warps share
// these rows and nothing else: each walks over its own part with its own tile in shared memory.
#pragma once

#include "kernels/attention/split_plan.hpp"
#include "kernels/attention/tiled_forward.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

inline constexpr TiledConfig kDecodeTiles{.most_keys = kDecodeTileKeys, .split = true};

template <class Element, int kHeadDim>
struct DecodeForward : TiledForward<Element, kHeadDim, kDecodeTiles> {
  using Rows = TiledForward<Element, kHeadDim, kDecodeTiles>;
  using Rows::arg, Rows::kKeys, Rows::parts;
  using typename Rows::Matrix, typename Rows::Output, typename Rows::RowState,
      typename Rows::Scores;
  static constexpr int kWarps = int(decode_warps(kHeadDim));
  static constexpr int kThreads = kWarps * kWarpSize;
  static constexpr int kPartsOfBlock = kWarps;
  static constexpr int kSharedBytes = Matrix::bytes(kTileRows + 2 * kWarps * kKeys);
  static_assert(kKeys == kDecodeTileKeys && kSharedBytes <= kSharedBudget);

  static Grid grid(const ForwardArguments<Element>& arg, int batch) {
    const int packed = arg.heads_of_group() * arg.n_q;
    return {(packed + kTileRows - 1) / kTileRows, arg.heads_k, batch};
  }

  ATTEST_DEVICE void operator()() const {
    const auto [x, key_head, batch] = block_index();
    const int blocks_of_tile = parts.count() / kWarps;
    const int part = x % blocks_of_tile * kWarps + warp_index();
    const int first_row = x / blocks_of_tile * kTileRows;
    const int packed = arg.heads_of_group() * arg.n_q;
    const std::int64_t q_row = arg.q_row(batch, key_head * arg.heads_of_group());
    const std::int64_t k_row = arg.k_row_of_key_head(batch, key_head);
    const int lq = arg.lq.load(batch), lk = arg.lk.load(batch);
    SharedArena arena;
    const Matrix q{arena.take<Element>(kTileRows * Matrix::kStride)};
    Matrix k, v;
    for (int warp = 0; warp < kWarps; ++warp) {
      const Matrix own_k{arena.take<Element>(kKeys * Matrix::kStride)};
      const Matrix own_v{arena.take<Element>(kKeys * Matrix::kStride)};
      if (warp == warp_index()) k = own_k, v = own_v;
    }

    load_queries(q, q_row, first_row, packed, lq);
    sync_block();
    RowState rows[kRowsOfLane];
    ATTEST_UNROLL
    for (int r = 0; r < kRowsOfLane; ++r) {
      const int row = first_row + row_of_lane(r);
      if (row < packed) rows[r].keys = parts.clip(arg.band.of_row(row % arg.n_q, lq, lk), part);
    }
    Output out;
    out.fill(0.0f);

    const KeyRange seen = parts.clip(arg.band.of_rows(0, arg.n_q, lq, lk), part);
    const int first_tile = seen.first / kKeys * kKeys;
    for (int first = first_tile; first < seen.last; first += kKeys) {
      const KeyRange valid{seen.first - first, seen.last - first};
      load_own(k, arg.k, k_row + first, arg.d_qk, valid);
      load_own(v, arg.v, k_row + first, arg.d_v, valid);
      sync_warp();
      Scores s;
      s.fill(0.0f);
      ATTEST_UNROLL
      for (int step = 0; step < kHeadDim / 16; ++step) {
        multiply_step(s, load_step(q, 0, step), k, step);
      }
      this->rescale_and_weigh(s, out, rows, first);
      multiply_by(out, round_to_operand<Element>(s), v);
      sync_warp();  // the next tile overwrites what slower lanes may still read
    }
    this->write_rows(out, rows, first_row, packed, q_row, part);
  }

 private:
  // Rows beyond a length become zeros, packed or not.
  ATTEST_DEVICE void load_queries(const Matrix& q, std::int64_t q_row, int first_row, int packed,
                                  int lq) const {
    for (int n = thread_index(); n < kTileRows * kHeadDim; n += kThreads) {
      const int row = n / kHeadDim, column = n % kHeadDim, at = first_row + row;
      Element element{};
      if (at < packed && at % arg.n_q < lq && column < arg.d_qk) {
        element = arg.q.load((q_row + at) * arg.d_qk + column);
      }
      q.span.store(row * q.kStride + column, element);
    }
  }
  ATTEST_DEVICE static void load_own(const Matrix& to, const GlobalSpan<const Element>& from,
                                     std::int64_t row, int width, KeyRange valid,
                                     Where where = Where::current()) {
    copy_to_shared_by<kWarpSize>(lane_index(), to, kKeys, from, row, width, valid, where);
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
