#include "harness/campaign/tile_edges.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace attest {
namespace {

constexpr Index kDrawnTile = 16;
constexpr Index kLargestTile = 256;  // more is a whole row, in kernels that have no tiles
constexpr Index kMostDrawn = 272;    // what is longer is so because its family needs it

Index stretched(Index count, Index tile) {
  if (tile <= kDrawnTile || tile > kLargestTile) return count;
  if (count < kDrawnTile - 1 || count > kMostDrawn) return count;
  const Index nearest = (count + kDrawnTile / 2) / kDrawnTile;
  const Index over = count - nearest * kDrawnTile;
  const Index tiles = nearest <= 4 ? nearest : 3 + nearest % 3;
  return tiles * tile + (std::abs(over) > 1 ? over * tile / kDrawnTile : over);
}

Index stretched_reach(Index reach, Index tile) {
  return reach == kUnlimited ? reach : stretched(reach, tile);
}

void stretch_lengths(std::vector<Index>& lengths, Index drawn, Index full, Index tile) {
  for (Index& length : lengths) {
    length = length == drawn ? full : std::min(stretched(length, tile), full);
  }
}

}  // namespace

Problem at_tile_edges(Problem drawn, const TileSizes& tiles) {
  Problem p = drawn;
  p.n_q = stretched(drawn.n_q, tiles.queries);
  p.n_k = stretched(drawn.n_k, tiles.keys);
  p.left = stretched_reach(drawn.left, tiles.keys);
  p.right = stretched_reach(drawn.right, tiles.keys);
  stretch_lengths(p.lq, drawn.n_q, p.n_q, tiles.queries);
  stretch_lengths(p.lk, drawn.n_k, p.n_k, tiles.keys);
  return p;
}

}  // namespace attest
