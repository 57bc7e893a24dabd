// kernel_layout.hpp - sizes that formulas of all kernels share: docs/traffic.md says what they are.
#pragma once

#include "core/contract.hpp"
#include "core/problem.hpp"
#include "traffic/live_counts.hpp"

namespace attest {

inline constexpr Index kElement = 2;    // bytes of q, k, v, dout and P
inline constexpr Index kFloat = 4;      // of a binary32: LSE, D, sums
inline constexpr Index kLength = 4;     // of one entry of lq or lk
inline constexpr Index kWarpRows = 16;  // rows of a tile that one warp takes
inline constexpr Index kLanes = 32;
inline constexpr Index kOnChipBudget = 48 * 1024;

// What a block of a kernel takes.
struct TileShape {
  Index queries;
  Index keys;
};

// A tile for each padded head dimension: 64, 128 and 256.
struct TileShapes {
  TileShape of_64, of_128, of_256;

  // Requires: 1 <= d <= 256.
  [[nodiscard]] constexpr const TileShape& of(Index d) const {
    ATTEST_EXPECTS(1 <= d && d <= 256);
    return d <= 64 ? of_64 : d <= 128 ? of_128 : of_256;
  }
};

// The forward kernels' usual tiles: 48 KiB hold no larger ones in powers of two.
inline constexpr TileShapes kUsualTiles = {{64, 64}, {64, 32}, {32, 16}};

// Bytes on chip of so many rows of a 16-bit matrix, with 8 elements of padding each.
[[nodiscard]] constexpr Index matrix_on_chip(Index rows, Index d) {
  const Index padded = d <= 64 ? 64 : d <= 128 ? 128 : 256;
  return rows * (padded + 8) * kElement;
}

// Rows of q and of k over all batch entries and heads.
[[nodiscard]] inline Index query_rows(const Problem& p) { return p.batch * p.heads_q * p.n_q; }
[[nodiscard]] inline Index key_rows(const Problem& p) { return p.batch * p.heads_k * p.n_k; }

// What so many blocks read of lq, and of lk: every lane asks for both.
[[nodiscard]] constexpr Index lengths_read(Index blocks, Index warps) {
  return blocks * warps * kLanes * kLength;
}

// of(b) over all batch entries.
template <class Of>
[[nodiscard]] Index sum_over_batch(const Problem& p, Of of) {
  Index sum = 0;
  for (Index b = 0; b < p.batch; ++b) sum += of(b);
  return sum;
}

// of(b, first row of the tile) over all batch entries and tiles of `tile` rows.
template <class Of>
[[nodiscard]] Index sum_over_tiles(const Problem& p, Index rows, Index tile, Of of) {
  return sum_over_batch(p, [&](Index b) {
    Index sum = 0;
    for (Index first = 0; first < rows; first += tile) sum += of(b, first);
    return sum;
  });
}

}  // namespace attest
