// Goal: what lies at the edges of the drawn tiles of 16 lies at those of a subject's own, in
// problems without defects.
#include "harness/campaign/tile_edges.hpp"

#include <gtest/gtest.h>

#include "properties/draw.hpp"

namespace attest {
namespace {

Problem of_keys(Index n_k) {
  Problem p;
  p.n_q = p.n_k = n_k;
  return p;
}

TEST(TileEdges, ReachOneBeforeAtAndBehindEachOfTheFirstTiles) {
  for (const Index tile : {32, 64, 128, 176}) {
    for (Index tiles = 1; tiles <= 4; ++tiles) {
      for (const Index over : {-1, 0, 1}) {
        const Problem p = at_tile_edges(of_keys(16 * tiles + over), {.queries = 1, .keys = tile});
        EXPECT_EQ(p.n_k, tile * tiles + over);
        EXPECT_EQ(p.n_q, 16 * tiles + over);
      }
    }
  }
}

TEST(TileEdges, LieInsideATileWhereTheDrawnOnesDo) {
  const TileSizes tiles{.queries = 128, .keys = 64};
  EXPECT_EQ(at_tile_edges(of_keys(20), tiles).n_k, 64 + 16);
  EXPECT_EQ(at_tile_edges(of_keys(20), tiles).n_q, 128 + 32);
  EXPECT_EQ(at_tile_edges(of_keys(29), tiles).n_k, 128 - 12);
}

TEST(TileEdges, KeepCountsBelowATileAndThoseThatFamiliesNeed) {
  const TileSizes tiles{.queries = 128, .keys = 128};
  for (const Index count : {0, 1, 2, 14, 273, 1024}) {
    EXPECT_EQ(at_tile_edges(of_keys(count), tiles), of_keys(count));
  }
}

TEST(TileEdges, AreThoseOfTheDrawForSubjectsWithoutTiles) {
  for (const Index tile : {1, 16, 1 << 20}) {
    EXPECT_EQ(at_tile_edges(of_keys(33), {.queries = tile, .keys = tile}), of_keys(33));
  }
}

TEST(TileEdges, MoveBandsAndLengthsAlong) {
  Problem p = of_keys(33);
  p.batch = 3;
  p.left = 15;
  p.right = -2;
  p.lk = {0, 17, 33};
  p.lq = {16, 33, 1};
  const Problem at = at_tile_edges(p, {.queries = 64, .keys = 128});
  EXPECT_EQ(at.n_k, 257);
  EXPECT_EQ(at.left, 127);
  EXPECT_EQ(at.right, -2);
  EXPECT_EQ(at.lk, (std::vector<Index>{0, 129, 257}));
  EXPECT_EQ(at.lq, (std::vector<Index>{64, 129, 1}));
}

TEST(TileEdges, LeaveNoDefect) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (std::uint64_t index = 0; index < 2000; ++index) {
      for (const Index tile : {32, 64, 128, 176, 256}) {
        const Problem at = at_tile_edges(draw(3, index, pass).problem, {tile, tile});
        ASSERT_EQ(defect_of(at), "") << index;
      }
    }
  }
}

}  // namespace
}  // namespace attest
