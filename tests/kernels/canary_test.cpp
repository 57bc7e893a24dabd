// Goal: each canary is wrong on the smallest input that its file names, right bit for bit where
// its fault does not act, and otherwise indistinguishable from the healthy kernel. That the judge
// rejects it by its law is tested where judge and laws live.
#include "kernels/canaries/canary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "kernels/canaries/plain.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Result run_canary(std::string_view name, const Problem& p, const Inputs& inputs) {
  for (const Canary& canary : canaries()) {
    if (canary.name == name) return run(*canary.make(), p, inputs);
  }
  ADD_FAILURE() << "no canary " << name;
  return {};
}

Result run_plain(const Problem& p, const Inputs& inputs) {
  return run(*make_plain("plain"), p, inputs);
}

double o_of(const Result& result, Index h = 0) { return result.o.view().value(0, h, 0, 0); }

void expect_harmless(std::string_view name, const Problem& p, const Inputs& inputs) {
  EXPECT_EQ(run_canary(name, p, inputs), run_plain(p, inputs)) << name << " " << to_string(p);
}

// Three tiles, the last one ragged; two heads; nothing masked.
Problem plain_problem() {
  Problem p;
  p.heads_q = 2;
  p.heads_k = 2;
  p.n_q = 5;
  p.n_k = 41;
  p.d_qk = 8;
  p.d_v = 4;
  p.scale = default_scale(8);
  return p;
}

TEST(Canaries, BeginWithTheControlAndHaveDistinctNames) {
  ASSERT_EQ(canaries().size(), 11u);
  EXPECT_EQ(canaries()[0].name, "canary/none");
  EXPECT_TRUE(canaries()[0].law.empty());
  std::set<std::string_view> names;
  for (const Canary& canary : canaries()) {
    names.insert(canary.name);
    EXPECT_EQ(canary.name.substr(0, 7), "canary/");
    EXPECT_EQ(canary.make()->name(), canary.name);
  }
  EXPECT_EQ(names.size(), canaries().size());
}

TEST(Canaries, NameAFixedLawEach) {
  constexpr std::string_view laws[] = {"accuracy",    "constant_v",       "dead_rows",
                                       "containment", "non_interference", "one_key"};
  for (const Canary& canary : canaries().subspan(1)) {
    EXPECT_NE(std::ranges::find(laws, canary.law), std::end(laws)) << canary.name;
    EXPECT_FALSE(canary.fault.empty()) << canary.name;
    EXPECT_GT(canary.most_keys, 0) << canary.name;
  }
}

TEST(Canaries, DeclareWhatTheHealthyKernelDeclares) {
  const Problem p = plain_problem();
  const auto plain = make_plain("plain");
  for (const Canary& canary : canaries()) {
    const auto subject = canary.make();
    EXPECT_EQ(subject->numerics(p, Unit::fp32_seq), plain->numerics(p, Unit::fp32_seq));
    EXPECT_EQ(subject->semantics(), plain->semantics());
    EXPECT_EQ(subject->unsupported(p, Unit::h100), plain->unsupported(p, Unit::h100));
  }
}

TEST(Control, IsThePlainKernel) {
  for (const Index right : {kUnlimited, Index{0}, Index{-38}}) {
    Problem p = plain_problem();
    p.right = right;
    expect_harmless("canary/none", p, gaussian_inputs(p, 2));
  }
}

TEST(M01NoDeadGuard, DividesZeroByZeroInADeadRow) {
  const Problem p = scored_problem(0);
  EXPECT_TRUE(std::isnan(o_of(run_canary("canary/m01-no-dead-guard", p, zero_inputs(p)))));
  EXPECT_EQ(o_of(run_plain(p, zero_inputs(p))), 0);
}

TEST(M01NoDeadGuard, IsRightOnLiveRows) {
  Problem p = plain_problem();
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
  Problem p = plain_problem();
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
  Problem p = plain_problem();
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
  Problem p = plain_problem();
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
  Problem p = plain_problem();
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
  Problem p = plain_problem();
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
  Problem p = plain_problem();
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
  Problem p = plain_problem();
  p.n_k = 16;
  expect_harmless("canary/tile-softmax", p, gaussian_inputs(p, 10));
}

}  // namespace
}  // namespace attest
