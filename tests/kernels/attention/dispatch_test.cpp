// Goal: each threshold of the dispatcher is where dispatch.hpp says, and one less or more than it
// goes the other way; the counts are those of the band, pair by pair.
#include "kernels/attention/dispatch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "kernels/attention/materialising.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/tiled.hpp"
#include "tests/kernels/attention/reported_run.hpp"
#include "tests/kernels/pairwise_softmax.hpp"

namespace attest::dispatch_test {
namespace {

Problem shaped(Index heads, Index n_q, Index n_k, Index d = 64) {
  Problem p;
  p.heads_q = p.heads_k = heads;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = p.d_v = d;
  return p;
}

std::string path_of(const Problem& p) {
  const Dispatch chosen = dispatch(p);
  EXPECT_FALSE(chosen.reason.empty()) << to_string(p);
  return chosen.path ? std::string(name_of(*chosen.path)) : "none";
}

TEST(Dispatch, SendsUpToSixteenQueriesToDecode) {
  EXPECT_EQ(path_of(shaped(64, 0, 4096)), "materialising");  // nothing to do, by anyone
  EXPECT_EQ(path_of(shaped(64, 1, 4096)), "decode");
  EXPECT_EQ(path_of(shaped(64, 15, 4096)), "decode");
  EXPECT_EQ(path_of(shaped(64, 16, 4096)), "decode");
  EXPECT_NE(path_of(shaped(64, 17, 4096)), "decode");
}

TEST(Dispatch, SendsFewScoresToTheMaterialisingKernel) {
  // 17 x 241 is one more than 4,096; 32 x 128 is 4,096.
  EXPECT_EQ(path_of(shaped(1, 32, 127)), "materialising");
  EXPECT_EQ(path_of(shaped(1, 32, 128)), "materialising");
  EXPECT_NE(path_of(shaped(1, 17, 241)), "materialising");
  EXPECT_NE(path_of(shaped(2, 32, 128)), "materialising");
}

TEST(Dispatch, SplitsKeysWhereQueriesLeaveTheMachineIdle) {
  EXPECT_EQ(path_of(shaped(127, 64, 4096)), "split");
  EXPECT_EQ(path_of(shaped(128, 64, 4096)), "tiled");
  EXPECT_EQ(path_of(shaped(129, 64, 4096)), "tiled");
  EXPECT_EQ(path_of(shaped(1, 64 * 127, 4096)), "split");
  EXPECT_EQ(path_of(shaped(1, 64 * 127 + 1, 4096)), "tiled");
  // Two tiles of keys, of 64, 32 or 16, are one part.
  for (const auto& [d, keys] : {std::pair<Index, Index>{64, 128}, {128, 64}, {256, 32}}) {
    EXPECT_EQ(path_of(shaped(8, 64, keys - 1, d)), "tiled") << d;
    EXPECT_EQ(path_of(shaped(8, 64, keys, d)), "tiled") << d;
    EXPECT_EQ(path_of(shaped(8, 64, keys + 1, d)), "split") << d;
  }
}

TEST(Dispatch, NamesNoPathBeyondEveryKernel) {
  EXPECT_NE(path_of(shaped(8, 100, 1000, 256)), "none");
  EXPECT_EQ(path_of(shaped(8, 100, 1000, 257)), "none");
  Problem wide = shaped(8, 100, 1000);
  wide.in = Format::f32;
  EXPECT_EQ(path_of(wide), "none");
  EXPECT_NE(dispatch(wide).reason.find("not f32"), std::string::npos);
}

// Shapes that each of the four paths would take forward.
TEST(Dispatch, SendsEveryBackwardToTheOnlyPathThatHasOne) {
  const auto dispatched = std::move(dispatched_subject().subject);
  for (Problem p : {shaped(64, 0, 4096), shaped(64, 16, 4096), shaped(1, 32, 128),
                    shaped(1, 17, 241), shaped(127, 64, 4096), shaped(128, 64, 4096)}) {
    p.pass = Pass::bwd;
    EXPECT_EQ(path_of(p), "tiled") << to_string(p);
    EXPECT_NE(dispatch(p).reason.find("pass=bwd"), std::string::npos) << dispatch(p).reason;
    EXPECT_EQ(dispatch(p).parts, (SplitPlan{0, 1}));
    EXPECT_EQ(dispatched->unsupported(p, Unit::h100), std::nullopt) << to_string(p);
  }
  Problem wide = shaped(8, 100, 1000, 257);
  wide.pass = Pass::bwd;
  EXPECT_EQ(path_of(wide), "none");
}

TEST(Dispatch, PlansPartsThatFillTheMachineAndNoMore) {
  EXPECT_EQ(split_plan(shaped(1, 64, 64 * 256)), (SplitPlan{128, 128}));
  EXPECT_EQ(split_plan(shaped(1, 64, 64 * 257)), (SplitPlan{192, 86}));
  EXPECT_EQ(split_plan(shaped(64, 64, 64 * 256)), (SplitPlan{64 * 128, 2}));
  EXPECT_EQ(split_plan(shaped(1, 64, 0)), (SplitPlan{128, 1}));
  EXPECT_EQ(many_parts_plan(shaped(1, 64, 0)), (SplitPlan{64, 8}));
  EXPECT_EQ(many_parts_plan(shaped(1, 64, 64 * 8)), (SplitPlan{64, 8}));
  EXPECT_EQ(many_parts_plan(shaped(1, 64, 64 * 8 + 1)), (SplitPlan{64, 9}));
  // A warp a part: four of them a block, two where d = 256.
  EXPECT_EQ(decode_plan(shaped(1, 1, 100)), (SplitPlan{32, 4}));
  EXPECT_EQ(decode_plan(shaped(1, 1, 129)), (SplitPlan{32, 8}));
  EXPECT_EQ(decode_plan(shaped(1, 1, 129, 256)), (SplitPlan{32, 6}));
  EXPECT_EQ(decode_plan(shaped(128, 1, 6400)), (SplitPlan{1600, 4}));
}

TEST(Dispatch, CountsTheLiveTilesOfTheBand) {
  Problem p = shaped(2, 33, 41, 8);
  p.batch = 2;
  p.lq = {33, 20};
  p.lk = {41, 30};
  for (const auto& [left, right] : {std::pair<Index, Index>{kUnlimited, kUnlimited},
                                    {kUnlimited, 0},
                                    {5, 3},
                                    {-2, 9},
                                    {-4, 2}}) {
    p.left = left;
    p.right = right;
    for (const auto& [tile_q, tile_k] : {std::pair<Index, Index>{1, 1}, {8, 5}, {64, 64}}) {
      Index scores = 0, tiles = 0;
      for (Index b = 0; b < p.batch; ++b) {
        for (Index row = 0; row < p.n_q; row += tile_q) {
          Index first = p.n_k, last = -1;
          for (Index i = row; i < std::min(p.n_q, row + tile_q); ++i) {
            for (Index j = 0; j < p.n_k; ++j) {
              if (!pair_is_live(p, b, i, j)) continue;
              ++scores;
              first = std::min(first, j);
              last = std::max(last, j);
            }
          }
          if (last >= 0) tiles += last / tile_k - first / tile_k + 1;
        }
      }
      const TileCounts counts = count_tiles(p, tile_q, tile_k);
      EXPECT_EQ(counts.live_scores, 2 * scores) << left << ' ' << right;
      EXPECT_EQ(counts.live_tiles, 2 * tiles) << left << ' ' << right << ' ' << tile_q;
      EXPECT_EQ(counts.scores, 2 * 2 * 33 * 41);
      EXPECT_EQ(counts.query_tiles, 4 * ((33 + tile_q - 1) / tile_q));
      EXPECT_EQ(counts.tiles, counts.query_tiles * ((41 + tile_k - 1) / tile_k));
    }
  }
}

TEST(Dispatch, CountsOneTileHoweverLongItIs) {
  constexpr Index kLongest = std::numeric_limits<Index>::max();
  const TileCounts counts = count_tiles(shaped(2, 33, 41, 8), kLongest, kLongest);
  EXPECT_EQ(counts.query_tiles, 2);
  EXPECT_EQ(counts.tiles, 2);
  EXPECT_EQ(counts.live_tiles, 2);
}

// Rows of a group lie one after the other, head by head; tiles take them regardless of heads.
TEST(Dispatch, CountsTilesOfPackedRows) {
  Problem p = shaped(1, 5, 90, 8);
  p.heads_q = 6;
  p.heads_k = 2;
  p.left = 1;
  p.right = 2;
  for (const auto& [tile_q, tile_k] : {std::pair<Index, Index>{16, 16}, {4, 1}, {7, 3}, {3, 2}}) {
    Index tiles = 0;
    for (Index row = 0; row < 15; row += tile_q) {
      std::set<Index> seen;
      for (Index at = row; at < std::min<Index>(15, row + tile_q); ++at) {
        for (Index j = 0; j < p.n_k; ++j) {
          if (pair_is_live(p, 0, at % 5, j)) seen.insert(j / tile_k);
        }
      }
      tiles += static_cast<Index>(seen.size());
    }
    const TileCounts counts = count_tiles(p, tile_q, tile_k, 3);
    EXPECT_EQ(counts.live_tiles, 2 * tiles) << tile_q << ' ' << tile_k;
    EXPECT_EQ(counts.query_tiles, 2 * ((15 + tile_q - 1) / tile_q));
    EXPECT_EQ(counts.live_scores, count_tiles(p, tile_q, tile_k).live_scores);
  }
  const Dispatch chosen = dispatch(p);
  EXPECT_EQ(chosen.heads_of_tile, 3);
  const TileCounts counts = count_tiles(p, chosen.tile_q, chosen.tile_k, chosen.heads_of_tile);
  EXPECT_EQ(counts.query_tiles * chosen.parts.parts / decode_warps(64), chosen.blocks);
}

// One problem for each path: the subject's bits are those of the kernel that it names.
TEST(Dispatch, RunsThePathItNames) {
  const auto dispatched = std::move(dispatched_subject().subject);
  for (const Problem& p :
       {shaped(1, 4, 70, 8), shaped(1, 20, 30, 8), shaped(2, 33, 200, 8), shaped(3, 33, 100, 8)}) {
    const Dispatch chosen = dispatch(p);
    EXPECT_FALSE(dispatched->unsupported(p, Unit::h100));
    const Inputs inputs = gaussian_inputs(p, 3);
    const Result result = run(*dispatched, p, inputs);
    int found = 0;
    for (const auto& list : {tiled_subjects, split_subjects, materialising_subjects}) {
      for (const DescribedSubject& each : list()) {
        if (each.subject->name() != name_of(*chosen.path)) continue;
        EXPECT_EQ(run(*each.subject, p, inputs), result) << to_string(p);
        EXPECT_EQ(each.subject->numerics(p, Unit::h100), dispatched->numerics(p, Unit::h100));
        ++found;
      }
    }
    EXPECT_EQ(found, 1) << to_string(p);
  }
}

}  // namespace
}  // namespace attest::dispatch_test
