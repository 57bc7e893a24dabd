// Goal: as canary_forward_test.cpp, of the canaries that are listed in forward_canaries.cpp.
#include <cmath>

#include "tests/kernels/canary_runs.hpp"

namespace attest::forward_canaries_test {
namespace {

double element(const Result& result, Index b, Index i) { return result.o.view().value(b, 0, i, 0); }
double lse_of(const Result& result) { return result.lse.view().value(0, 0, 0, 0); }

// O of the first row that both compute, the canary first.
struct Pair {
  Result faulty;
  Result healthy;
};

Pair both(std::string_view name, const Problem& p, const Inputs& inputs) {
  return {run_canary(name, p, inputs), run(*control_of(canary_named(name)), p, inputs)};
}

// So many queries and keys; scores 0, v_j = j + 1.
struct Counted {
  Problem p;
  Inputs inputs;
  Counted(Index n_q, Index n_k, Index left = kUnlimited, Index right = kUnlimited)
      : p(scored_problem(n_k)) {
    p.n_q = n_q;
    p.left = left;
    p.right = right;
    p.align = Align::top_left;
    inputs = zero_inputs(p);
    for (Index j = 0; j < n_k; ++j) set(inputs.v, 0, 0, j, 0, static_cast<double>(j + 1));
  }
  [[nodiscard]] Pair run_both(std::string_view name) const { return both(name, p, inputs); }
};

TEST(M02FiniteMaskCap, ReturnsTheMeanOfADeadTile) {
  const Pair o = Counted(1, 1, kUnlimited, -1).run_both("canary/m02-finite-mask-cap");
  EXPECT_EQ(o_of(o.faulty), 1.0 / 16);
  EXPECT_EQ(o_of(o.healthy), 0);
  Problem live = three_tiles();
  live.right = 0;
  expect_harmless("canary/m02-finite-mask-cap", live, gaussian_inputs(live, 30));
}

TEST(M03InfiniteDifference, LosesARowBehindADeadTile) {
  Problem p = scored_problem(17);
  p.left = 0;
  Inputs inputs = zero_inputs(p);
  fill(inputs.v, 3);
  const Pair o = both("canary/m03-infinite-difference", p, inputs);
  EXPECT_TRUE(std::isnan(o_of(o.faulty)));
  EXPECT_EQ(o_of(o.healthy), 3);
  p.left = 1;  // a live key in the first tile
  expect_harmless("canary/m03-infinite-difference", p, inputs);
}

TEST(M09SkippedPart, MergesWhatAnEarlierRowLeft) {
  // Row 0 sees keys 31 and 32, one in each part; row 1 sees key 32 alone.
  const Counted c(2, 33, -31);
  const Pair o = c.run_both("canary/m09-skipped-part");
  EXPECT_EQ(element(o.faulty, 0, 0), 32.5);
  EXPECT_EQ(element(o.faulty, 0, 1), 32.5);
  EXPECT_EQ(element(o.healthy, 0, 1), 33);
  const Problem live = three_tiles();
  expect_harmless("canary/m09-skipped-part", live, gaussian_inputs(live, 31));
}

TEST(M10BatchStride, LeavesTheSecondEntryUnwritten) {
  Problem p = scored_problem(1);
  p.batch = 2;
  Inputs inputs = zero_inputs(p);
  set(inputs.v, 1, 0, 0, 0, 5);
  const Pair o = both("canary/m10-batch-stride", p, inputs);
  EXPECT_EQ(element(o.faulty, 0, 0), 5);
  EXPECT_TRUE(std::isnan(element(o.faulty, 1, 0)));
  EXPECT_EQ(element(o.healthy, 1, 0), 5);
  const Problem one = three_tiles();
  expect_harmless("canary/m10-batch-stride", one, gaussian_inputs(one, 32));
}

TEST(M12CausalTileBound, LosesTheTileBehindItsFirstRows) {
  Counted c(17, 17, kUnlimited, 0);
  fill(c.inputs.v, 0);
  set(c.inputs.v, 0, 0, 16, 0, 17);
  const Pair o = c.run_both("canary/m12-causal-tile-bound");
  EXPECT_EQ(element(o.faulty, 0, 16), 0);
  EXPECT_EQ(element(o.healthy, 0, 16), 1);
  const Counted in_one_tile(16, 16, kUnlimited, 0);
  expect_harmless("canary/m12-causal-tile-bound", in_one_tile.p, in_one_tile.inputs);
}

TEST(M13MaskPerRowGroup, SeesTheFuture) {
  const Pair o = Counted(2, 2, kUnlimited, 0).run_both("canary/m13-mask-per-row-group");
  EXPECT_EQ(element(o.faulty, 0, 0), 1.5);
  EXPECT_EQ(element(o.healthy, 0, 0), 1);
  const Problem open = three_tiles();
  expect_harmless("canary/m13-mask-per-row-group", open, gaussian_inputs(open, 33));
}

TEST(M15WindowBounds, AreOffByOneOrOpen) {
  EXPECT_EQ(element(Counted(2, 2, 0).run_both("canary/m15-window-too-wide").faulty, 0, 1), 1.5);
  EXPECT_EQ(element(Counted(2, 2, 0).run_both("canary/m15-window-too-wide").healthy, 0, 1), 2);
  EXPECT_EQ(o_of(Counted(1, 1, 0).run_both("canary/m15-window-too-narrow").faulty), 0);
  EXPECT_EQ(o_of(Counted(1, 1, 0).run_both("canary/m15-window-too-narrow").healthy), 1);
  EXPECT_EQ(o_of(Counted(2, 2, 0).run_both("canary/m15-window-of-both-sides").faulty), 1);
  EXPECT_EQ(o_of(Counted(2, 2, 0).run_both("canary/m15-window-of-both-sides").healthy), 1.5);
  EXPECT_EQ(o_of(Counted(1, 1, -1).run_both("canary/m15-negative-window").faulty), 1);
  EXPECT_EQ(o_of(Counted(1, 1, -1).run_both("canary/m15-negative-window").healthy), 0);
}

TEST(M15WindowBounds, AreRightWithoutAWindow) {
  Problem p = three_tiles();
  p.right = 0;
  for (const char* name : {"canary/m15-window-too-wide", "canary/m15-window-too-narrow",
                           "canary/m15-window-of-both-sides", "canary/m15-negative-window"}) {
    expect_harmless(name, p, gaussian_inputs(p, 34));
  }
}

TEST(M19VStrideIgnored, ReadsTheNextColumnOfADenseTensor) {
  Problem p = scored_problem(1);
  p.d_v = 2;
  Inputs inputs = zero_inputs(p);
  Tensor wide(p.in, {1, 1, 1, 4});
  for (Index k = 0; k < 4; ++k) set(wide, 0, 0, 0, k, static_cast<double>(k));
  ConstTensorView v = wide.view();
  v.extents = p.v_extents();
  v.strides = {4, 4, 4, 2};
  Result result{Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.lse_extents())};
  (void)canary_named("canary/m19-v-stride-ignored")
      .make()
      ->run(p, {inputs.q.view(), inputs.k.view(), v}, {result.o.view(), result.lse.view()}, {});
  EXPECT_EQ(result.o.view().value(0, 0, 0, 1), 1);  // 2, had it gone two columns on
  const Problem dense = three_tiles();
  expect_harmless("canary/m19-v-stride-ignored", dense, gaussian_inputs(dense, 35));
}

TEST(M21UndeclaredFusion, LosesARowOfOneKeyWhoseScoreIsHuge) {
  Problem p = scored_problem(1, Format::bf16);
  p.scale = 0.25f;
  Inputs inputs = scored_inputs(p, {133120});
  fill(inputs.q, 133120);
  const Pair o = both("canary/m21-undeclared-fusion", p, inputs);
  EXPECT_NE(o_of(o.faulty), 1);
  EXPECT_EQ(o_of(o.healthy), 1);
  expect_harmless("canary/m21-undeclared-fusion", scored_problem(1),
                  scored_inputs(scored_problem(1), {1}));
}

TEST(M24HardCodedMax, OverflowsAboveIt) {
  const struct {
    Format format;
    double score;
  } smallest[] = {{Format::f16, 22}, {Format::bf16, 99}};
  for (const auto& [format, score] : smallest) {
    const Problem p = scored_problem(1, format);
    const Pair o = both("canary/m24-hard-coded-max", p, scored_inputs(p, {score}));
    EXPECT_FALSE(std::isfinite(o_of(o.faulty)));
    EXPECT_EQ(o_of(o.healthy), 1);
  }
}

// Sixteen scores of 0 and one in the second tile, whose v alone is 1.
Inputs rising_inputs(const Problem& p, double score) {
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  set(inputs.k, 0, 0, 16, 0, score);
  set(inputs.v, 0, 0, 16, 0, 1);
  return inputs;
}

TEST(M25LazyRescale, WeighsTheSecondTileInAnotherFrame) {
  const Problem p = scored_problem(17);
  const Pair o = both("canary/m25-lazy-in-wrong-frame", p, rising_inputs(p, 1));
  EXPECT_NEAR(o_of(o.faulty), 1.0 / 17, 1e-4);
  EXPECT_NEAR(o_of(o.healthy), std::exp(1) / (16 + std::exp(1)), 1e-4);
  expect_harmless("canary/m25-lazy-in-wrong-frame", p, rising_inputs(p, -1));
}

TEST(M25LazyRescale, OverflowsNarrowP) {
  for (const auto& [format, score] : {std::pair{Format::f16, 12.0}, {Format::bf16, 89.0}}) {
    const Problem p = scored_problem(17, format);
    const Pair o = both("canary/m25-lazy-beyond-range", p, rising_inputs(p, score));
    EXPECT_FALSE(std::isfinite(o_of(o.faulty)));
    EXPECT_NEAR(o_of(o.healthy), 1, 1e-2);
    expect_harmless("canary/m25-lazy-beyond-range", p, rising_inputs(p, -score));
  }
}

TEST(M33PaddedScale, DividesByTheRootOfEight) {
  Problem p = scored_problem(1);
  EXPECT_NEAR(lse_of(run_canary("canary/m33-padded-scale", p, scored_inputs(p, {1}))),
              1 / std::sqrt(8), 1e-6);
  p.scale = 0.75f;  // somebody's choice
  expect_harmless("canary/m33-padded-scale", p, scored_inputs(p, {1}));
}

TEST(M33M38FirstPlan, IsThatOfTheFirstCall) {
  const auto scale = canary_named("canary/m33-cached-scale").make();
  Problem p = scored_problem(1);
  const Inputs one = scored_inputs(p, {1});
  EXPECT_EQ(lse_of(run(*scale, p, one)), 1);
  p.scale = 2;
  EXPECT_EQ(lse_of(run(*scale, p, one)), 1);
  EXPECT_EQ(lse_of(run_plain(p, one)), 2);

  const auto band = canary_named("canary/m38-stale-band").make();
  Counted c(1, 2);
  EXPECT_EQ(o_of(run(*band, c.p, c.inputs)), 1.5);
  c.p.right = 0;
  EXPECT_EQ(o_of(run(*band, c.p, c.inputs)), 1.5);
  EXPECT_EQ(o_of(run_plain(c.p, c.inputs)), 1);
}

TEST(M36CoarseArithmetic, MovesLseByWhatItsNameSays) {
  const Problem p = scored_problem(2);
  const Inputs inputs = scored_inputs(p, {1.00390625, 0.3});
  const struct {
    const char* name;
    double least;
    double most;
  } canaries[] = {{"canary/m36-scores-in-bf16", 1e-3, 1e-2},
                  {"canary/m36-row-sum-in-tf32", 1e-6, 1e-3},
                  {"canary/m36-cubic-exp2", 1e-6, 1e-4}};
  const double healthy = lse_of(run_plain(p, inputs));
  for (const auto& [name, least, most] : canaries) {
    const double moved = std::fabs(lse_of(run_canary(name, p, inputs)) - healthy);
    EXPECT_GT(moved, least) << name;
    EXPECT_LT(moved, most) << name;
  }
}

TEST(M37FirstRowOnly, LeavesTheSecondOfTwoRowsUnwritten) {
  const Pair o = Counted(2, 1).run_both("canary/m37-first-row-only");
  EXPECT_EQ(element(o.faulty, 0, 0), 1);
  EXPECT_TRUE(std::isnan(element(o.faulty, 0, 1)));
  const Counted nine(9, 1);
  expect_harmless("canary/m37-first-row-only", nine.p, nine.inputs);
}

TEST(M38LaunchDropped, WritesNothingBeyond256Columns) {
  Problem p = scored_problem(1);
  p.d_qk = 257;
  Inputs inputs = zero_inputs(p);
  fill(inputs.v, 1);
  EXPECT_TRUE(std::isnan(o_of(run_canary("canary/m38-launch-dropped", p, inputs))));
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
  p.d_qk = 256;
  expect_harmless("canary/m38-launch-dropped", p, zero_inputs(p));
}

TEST(PermutedColumns, SwapsTwoColumnsOfO) {
  Problem p = scored_problem(1);
  p.d_v = 3;
  Inputs inputs = zero_inputs(p);
  for (Index k = 0; k < 3; ++k) set(inputs.v, 0, 0, 0, k, static_cast<double>(k + 1));
  const Pair o = both("canary/permuted-columns", p, inputs);
  const double swapped[] = {2, 1, 3};
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(o.faulty.o.view().value(0, 0, 0, k), swapped[k]);
  p.d_v = 1;
  expect_harmless("canary/permuted-columns", p, gaussian_inputs(p, 36));
}

}  // namespace
}  // namespace attest::forward_canaries_test
