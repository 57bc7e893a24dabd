// Goal: each canary of the forward is wrong on the smallest input that its file names, and right
// bit for bit where its fault does not act. That the judge rejects it by its law is tested where
// judge and laws live.
#include <cmath>
#include <limits>

#include "tests/kernels/canary_runs.hpp"

namespace attest::canary_forward_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(M01NoDeadGuard, DividesZeroByZeroInADeadRow) {
  const Problem p = scored_problem(0);
  EXPECT_TRUE(std::isnan(o_of(run_canary("canary/m01-no-dead-guard", p, zero_inputs(p)))));
  EXPECT_EQ(o_of(run_plain(p, zero_inputs(p))), 0);
}

TEST(M01NoDeadGuard, IsRightOnLiveRows) {
  Problem p = three_tiles();
  p.right = 0;
  expect_harmless("canary/m01-no-dead-guard", p, gaussian_inputs(p, 3));
}

TEST(M01NanSwallowed, TakesANanRowForADeadOne) {
  const Problem p = scored_problem(1);
  Inputs inputs = scored_inputs(p, {0});
  set(inputs.q, 0, 0, 0, 0, kNan);
  const Result faulty = run_canary("canary/m01-nan-swallowed", p, inputs);
  EXPECT_EQ(o_of(faulty), 0);
  EXPECT_EQ(faulty.lse.view().value(0, 0, 0, 0), -std::numeric_limits<double>::infinity());
  const Result healthy = run_plain(p, inputs);
  EXPECT_TRUE(std::isnan(o_of(healthy)));
  EXPECT_TRUE(std::isnan(healthy.lse.view().value(0, 0, 0, 0)));
}

TEST(M01NanSwallowed, IsRightOnNumbersInDeadRowsAndForANanInV) {
  Problem p = three_tiles();
  p.right = -38;  // dead rows first
  Inputs inputs = gaussian_inputs(p, 11);
  expect_harmless("canary/m01-nan-swallowed", p, inputs);
  set(inputs.v, 0, 0, 2, 0, kNan);
  expect_harmless("canary/m01-nan-swallowed", p, inputs);
}

// 17 keys of which the last alone is live, behind a dead tile.
struct BehindADeadTile {
  Problem p = scored_problem(17);
  Inputs inputs;

  explicit BehindADeadTile(double score) {
    p.left = 0;
    inputs = zero_inputs(p);
    fill(inputs.q, 1);
    fill(inputs.k, score);
    fill(inputs.v, 3);
  }
};

TEST(M04MaxKeptAtZero, LosesARowFarBelowZeroBehindADeadTile) {
  for (const double score : {-20.0, -200.0}) {
    const BehindADeadTile c(score);
    EXPECT_EQ(o_of(run_canary("canary/m04-max-kept-at-zero", c.p, c.inputs)), 0);
    EXPECT_EQ(o_of(run_plain(c.p, c.inputs)), 3);
  }
}

TEST(M04MaxKeptAtZero, IsRightWithoutADeadTileOrAboveZero) {
  const BehindADeadTile above(5);
  expect_harmless("canary/m04-max-kept-at-zero", above.p, above.inputs);
  BehindADeadTile all_live(-200);
  all_live.p.left = kUnlimited;
  expect_harmless("canary/m04-max-kept-at-zero", all_live.p, all_live.inputs);
}

TEST(M05PoisonedVTail, LetsANanBeyondTheLengthThrough) {
  Problem p = scored_problem(2);
  p.lq = {1};
  p.lk = {1};
  Inputs inputs = scored_inputs(p, {0, 0});
  set(inputs.v, 0, 0, 1, 0, kNan);
  EXPECT_TRUE(std::isnan(o_of(run_canary("canary/m05-poisoned-v-tail", p, inputs))));
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
}

TEST(M05PoisonedVTail, LetsANanOutsideTheBandThrough) {
  Problem p = scored_problem(2);
  p.right = -1;
  Inputs inputs = scored_inputs(p, {0, 0});
  set(inputs.v, 0, 0, 1, 0, kNan);
  EXPECT_TRUE(std::isnan(o_of(run_canary("canary/m05-poisoned-v-tail", p, inputs))));
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
}

TEST(M05PoisonedVTail, IsRightOnFiniteBytes) {
  Problem p = three_tiles();
  p.lq = {5};
  p.lk = {19};
  p.left = 7;
  expect_harmless("canary/m05-poisoned-v-tail", p, gaussian_inputs(p, 4));
}

TEST(M11TopLeftCausal, HidesKeysOfARectangularProblem) {
  Problem p = scored_problem(2);
  p.right = 0;
  const Inputs inputs = scored_inputs(p, {0, 0});
  EXPECT_EQ(o_of(run_canary("canary/m11-top-left-causal", p, inputs)), 1);
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1.5);
}

TEST(M11TopLeftCausal, IsRightOnSquaresAndOnTopLeftBands) {
  Problem p = three_tiles();
  p.right = 0;
  p.align = Align::top_left;
  expect_harmless("canary/m11-top-left-causal", p, gaussian_inputs(p, 5));
  p.align = Align::bottom_right;
  p.n_q = p.n_k;
  expect_harmless("canary/m11-top-left-causal", p, gaussian_inputs(p, 5));
}

TEST(M14UnmaskedLengthTail, CountsThePaddingOfTheLastTile) {
  const Problem p = scored_problem(1);
  Inputs inputs = scored_inputs(p, {0});
  EXPECT_EQ(o_of(run_canary("canary/m14-unmasked-length-tail", p, inputs)), 1.0 / 16);
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
}

TEST(M14UnmaskedLengthTail, CountsPaddingInsideTheTensorAsZeroToo) {
  Problem p = scored_problem(16);
  p.lq = {1};
  p.lk = {10};
  Inputs inputs = zero_inputs(p);
  fill(inputs.v, 1);
  for (Index j = 10; j < 16; ++j) set(inputs.v, 0, 0, j, 0, kNan);
  EXPECT_EQ(o_of(run_canary("canary/m14-unmasked-length-tail", p, inputs)),
            round_to_format(Format::f16, 10.0 / 16));
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
}

TEST(M14UnmaskedLengthTail, IsRightOnWholeTilesAndUnderACausalBand) {
  Problem p = three_tiles();
  p.n_k = 48;
  expect_harmless("canary/m14-unmasked-length-tail", p, gaussian_inputs(p, 6));
  p.n_k = 41;
  p.right = 0;
  expect_harmless("canary/m14-unmasked-length-tail", p, gaussian_inputs(p, 6));
}

TEST(M18HeadModulo, ReadsAnotherGroupsKeys) {
  for (const Index heads_q : {4, 6}) {
    Problem p = scored_problem(1);
    p.heads_q = heads_q;
    p.heads_k = 2;
    Inputs inputs = zero_inputs(p);
    set(inputs.v, 0, 1, 0, 0, 1);
    const Result faulty = run_canary("canary/m18-head-modulo", p, inputs);
    const Result healthy = run_plain(p, inputs);
    EXPECT_EQ(o_of(faulty, 1), 1);
    EXPECT_EQ(o_of(healthy, 1), 0);
    EXPECT_EQ(o_of(healthy, heads_q - 1), 1);
  }
}

TEST(M18HeadModulo, IsRightWithOneGroupOrOneHeadAGroup) {
  Problem p = three_tiles();
  expect_harmless("canary/m18-head-modulo", p, gaussian_inputs(p, 7));
  p.heads_q = 6;
  p.heads_k = 1;
  expect_harmless("canary/m18-head-modulo", p, gaussian_inputs(p, 7));
}

TEST(M22FiniteSentinel, LosesARowBelowTheSentinel) {
  for (const double score : {-50080.0, -60000.0}) {  // f16 holds both
    const Problem p = scored_problem(1);
    const Inputs inputs = scored_inputs(p, {score});
    EXPECT_EQ(o_of(run_canary("canary/m22-finite-sentinel", p, inputs)), 0);
    EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
  }
}

TEST(M22FiniteSentinel, IsRightAboveTheSentinelWithMaskedSlotsAndDeadTiles) {
  Problem p = scored_problem(21);
  p.left = 1;
  Inputs inputs = gaussian_inputs(p, 8);
  fill(inputs.q, 1);
  fill(inputs.k, -40000);
  expect_harmless("canary/m22-finite-sentinel", p, inputs);
}

TEST(M23F16Accumulator, DriftsPastTheRoundingsAtItsStatedMinimum) {
  // With equal scores the roundings of P and O explain u_p + u_o, the rest of the budget less than
  // a fiftieth of that.
  const struct {
    Format format;
    Index keys;
  } smallest[] = {{Format::f16, 87}, {Format::bf16, 104}};
  for (const auto& [format, keys] : smallest) {
    const Problem p = scored_problem(keys, format);
    Inputs inputs = zero_inputs(p);
    fill(inputs.v, 100);
    const double drift = std::fabs(o_of(run_canary("canary/m23-f16-accumulator", p, inputs)) - 100);
    EXPECT_GT(drift, 1.02 * 100 * 2 * unit_roundoff(format)) << shape_of(format).name;
    EXPECT_EQ(o_of(run_plain(p, inputs)), 100);
  }
}

TEST(M23F16Accumulator, IsRightWhereFp16AddsExactly) {
  Problem p = three_tiles();
  Inputs inputs = gaussian_inputs(p, 9);
  fill(inputs.q, 0);
  fill(inputs.v, 3);
  expect_harmless("canary/m23-f16-accumulator", p, inputs);
}

TEST(TileSoftmax, AddsTheTilesUp) {
  const Problem p = scored_problem(17);
  Inputs inputs = zero_inputs(p);
  fill(inputs.v, 1);
  EXPECT_EQ(o_of(run_canary("canary/tile-softmax", p, inputs)), 2);
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1);
}

TEST(TileSoftmax, IsRightInOneTile) {
  Problem p = three_tiles();
  p.n_k = 16;
  expect_harmless("canary/tile-softmax", p, gaussian_inputs(p, 10));
}

TEST(M07Int32Offset, IsRightOnDenseTensors) {
  Problem p = three_tiles(Pass::bwd);
  p.batch = 2;
  expect_harmless("canary/m07-int32-offset", p, gaussian_inputs(p, 12));
}

TEST(M08MergeWithoutGuard, DividesNothingByNothingInADeadRow) {
  Problem p = scored_problem(1);
  p.right = -1;
  const Inputs inputs = scored_inputs(p, {0});
  const Result faulty = run_canary("canary/m08-merge-without-guard", p, inputs);
  EXPECT_TRUE(std::isnan(o_of(faulty)));
  EXPECT_TRUE(std::isnan(faulty.lse.view().value(0, 0, 0, 0)));
}

TEST(M08MergeWithoutGuard, IsRightWithEmptyPartsBesideALiveOne) {
  Problem p = three_tiles();
  p.right = -1;
  p.left = 7;
  expect_harmless("canary/m08-merge-without-guard", p, gaussian_inputs(p, 13));
}

TEST(M08MergeWithoutMax, OverflowsAndUnderflows) {
  const Problem p = scored_problem(1);
  EXPECT_TRUE(
      std::isnan(o_of(run_canary("canary/m08-merge-without-max", p, scored_inputs(p, {89})))));
  EXPECT_EQ(o_of(run_canary("canary/m08-merge-without-max", p, scored_inputs(p, {-105}))), 0);
  const auto control = control_of(canary_named("canary/m08-merge-without-max"));
  EXPECT_EQ(o_of(run(*control, p, scored_inputs(p, {89}))), 1);
  EXPECT_EQ(o_of(run(*control, p, scored_inputs(p, {-105}))), 1);
}

TEST(M08MergeWithoutMax, IsRightWhereTheLargestLseIsZero) {
  const Problem p = scored_problem(1);
  expect_harmless("canary/m08-merge-without-max", p, scored_inputs(p, {0}));
}

TEST(M31LseBase2, StoresLseInBase2AndNothingElse) {
  const Problem p = scored_problem(1);
  const Result faulty = run_canary("canary/m31-lse-base-2", p, scored_inputs(p, {1}));
  EXPECT_EQ(faulty.lse.view().value(0, 0, 0, 0), std::numbers::log2e_v<float>);
  EXPECT_EQ(faulty.o, run_plain(p, scored_inputs(p, {1})).o);
  expect_harmless("canary/m31-lse-base-2", p, scored_inputs(p, {0}));
}

// Two keys, of which the second weighs exp(-1); the row sum is 1.368.

}  // namespace
}  // namespace attest::canary_forward_test
