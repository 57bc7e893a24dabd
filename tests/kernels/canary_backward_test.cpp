// Goal: each canary of the backward is wrong on the smallest input that its file names, and right
// bit for bit where its fault does not act; the forward of all of them is healthy, but where it is
// the stored LSE that is wrong.
#include <cmath>

#include "tests/kernels/canary_runs.hpp"

namespace attest::canary_backward_test {
namespace {

double dq_of(const GradientTensors& g, Index i = 0) { return g.dq.view().value(0, 0, i, 0); }

// q = 1, d = 1, scale = 1: scores are the keys; v_j = j + 1, dO = 1.
Problem scored(Index n_k, Format format = Format::f16) {
  Problem p = scored_problem(n_k, format);
  p.pass = Pass::bwd;
  return p;
}

Inputs scored_gradients(const Problem& p, std::initializer_list<double> scores) {
  Inputs inputs = scored_inputs(p, scores);
  fill(inputs.dout, 1);
  return inputs;
}

TEST(BackwardCanaries, RunTheHealthyForward) {
  const Problem p = three_tiles(Pass::bwd);
  const Inputs inputs = gaussian_inputs(p, 20);
  for (const Canary& canary : canaries()) {
    if (canary.pass == Pass::fwd || canary.name == "canary/m31-lse-base-2-backward") continue;
    EXPECT_EQ(run(*canary.make(), p, inputs), run(*control_of(canary), p, inputs)) << canary.name;
  }
}

TEST(M16UnpaddedReadback, ReturnsAPaddingColumnForRowOne) {
  Problem p = scored(1);
  p.n_q = 2;
  p.lse_gradient = true;
  Inputs inputs = zero_inputs(p);
  fill(inputs.k, 3);
  fill(inputs.glse, 1);
  const Both g = run_both("canary/m16-unpadded-readback", p, inputs);
  EXPECT_EQ(dq_of(g.faulty, 0), 3);
  EXPECT_EQ(dq_of(g.faulty, 1), 0);
  EXPECT_EQ(dq_of(g.healthy, 1), 3);
}

TEST(M16UnpaddedReadback, IsRightOnWholeEights) {
  const Problem p = three_tiles(Pass::bwd);
  expect_harmless("canary/m16-unpadded-readback", p, gaussian_inputs(p, 21));
}

TEST(M17DqkForDv, LosesAColumnOfDp) {
  Problem p = scored(1);
  p.d_v = 2;
  Inputs inputs = scored_gradients(p, {0});
  fill(inputs.k, 2);
  fill(inputs.q, 0);
  set(inputs.v, 0, 0, 0, 1, 5);
  const Both g = run_both("canary/m17-dqk-for-dv", p, inputs);
  EXPECT_EQ(dq_of(g.healthy), 0);        // dP = D = 6
  EXPECT_EQ(dq_of(g.faulty), 2 * -5.0);  // dP = 1
}

TEST(M17DqkForDv, IsRightWhereDqkIsTheLarger) {
  const Problem p = three_tiles(Pass::bwd);
  expect_harmless("canary/m17-dqk-for-dv", p, gaussian_inputs(p, 22));
}

TEST(M18LastWriter, KeepsTheLastHeadsDk) {
  // All scores 0, P = 1/2; V = 0 and 2: dS = -+1/2 for the dO = 1 of head 0, 0 for head 1.
  Problem p = scored(2);
  p.heads_q = 2;
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 4);
  set(inputs.v, 0, 0, 1, 0, 2);
  set(inputs.dout, 0, 0, 0, 0, 1);
  const Both g = run_both("canary/m18-last-writer", p, inputs);
  EXPECT_EQ(g.healthy.dk.view().value(0, 0, 1, 0), 2);
  EXPECT_EQ(g.faulty.dk.view().value(0, 0, 1, 0), 0);
  EXPECT_EQ(g.faulty.dv, g.healthy.dv);
  EXPECT_EQ(g.faulty.dq, g.healthy.dq);
}

TEST(M18LastWriter, IsRightWithOneHeadAGroup) {
  const Problem p = three_tiles(Pass::bwd);
  expect_harmless("canary/m18-last-writer", p, gaussian_inputs(p, 23));
}

TEST(M20UnmaskedBackward, OverflowsInThePaddingOfAVeryNegativeRow) {
  const struct {
    Format format;
    double score;
  } smallest[] = {{Format::f16, -12}, {Format::bf16, -89}, {Format::f32, -89}};
  for (const auto& [format, score] : smallest) {
    const Problem p = scored(1, format);
    const Both g = run_both("canary/m20-unmasked-backward", p, scored_gradients(p, {score}));
    EXPECT_TRUE(std::isnan(dq_of(g.faulty))) << shape_of(format).name;
    EXPECT_EQ(dq_of(g.healthy), 0);
    EXPECT_EQ(g.faulty.dk, g.healthy.dk);
    EXPECT_EQ(g.faulty.dv, g.healthy.dv);
  }
}

TEST(M20UnmaskedBackward, IsRightOnModerateScoresAndWholeTiles) {
  Problem p = three_tiles(Pass::bwd);
  expect_harmless("canary/m20-unmasked-backward", p, gaussian_inputs(p, 24));
  p = scored(16);
  Inputs inputs = gaussian_inputs(p, 24);
  fill(inputs.q, 1);
  fill(inputs.k, -200);
  expect_harmless("canary/m20-unmasked-backward", p, inputs);
}

// With one key P = 1 and dV sums dO over the rows.
TEST(M23F16Gradients, LosesSmallRowsBesideALargeOne) {
  Problem p = scored(1);
  p.n_q = 4;
  Inputs inputs = zero_inputs(p);
  fill(inputs.dout, 1);
  set(inputs.dout, 0, 0, 0, 0, 2048);
  const Both g = run_both("canary/m23-f16-gradients", p, inputs);
  EXPECT_EQ(g.healthy.dv.view().value(0, 0, 0, 0), 2052);  // 2051, rounded
  const double lost = 2051 - g.faulty.dv.view().value(0, 0, 0, 0);
  // The roundings of P and dV explain u_p + u_o, the rest of the budget less than a fiftieth of it.
  EXPECT_GT(lost, 1.02 * 2051 * 2 * unit_roundoff(Format::f16));
}

TEST(M23F16Gradients, LosesWhatIsTinyInBf16) {
  const Problem p = scored(1, Format::bf16);
  Inputs inputs = zero_inputs(p);
  fill(inputs.dout, 0x1p-26);
  const Both g = run_both("canary/m23-f16-gradients", p, inputs);
  EXPECT_EQ(g.healthy.dv.view().value(0, 0, 0, 0), 0x1p-26);
  EXPECT_EQ(g.faulty.dv.view().value(0, 0, 0, 0), 0);
}

TEST(M23F16Gradients, IsRightWhereFp16AddsExactly) {
  Problem p = scored(1);
  p.n_q = 5;
  Inputs inputs = gaussian_inputs(p, 28);
  fill(inputs.q, 0);
  fill(inputs.dout, 3);
  expect_harmless("canary/m23-f16-gradients", p, inputs);
}

TEST(M31LseBase2Backward, MakesEveryWeightWrong) {
  // LSE = 1 is stored as 1.44, and dV = P dO = exp(1 - 1.44) instead of 1.
  const Problem p = scored(1, Format::f32);
  const Inputs inputs = scored_gradients(p, {1});
  const auto canary = canary_named("canary/m31-lse-base-2-backward").make();
  const double dv = run_backward(*canary, p, inputs).dv.view().value(0, 0, 0, 0);
  EXPECT_NEAR(dv, std::exp(1 - std::numbers::log2e), 1e-6);
  EXPECT_EQ(run_backward(*make_plain("plain"), p, inputs).dv.view().value(0, 0, 0, 0), 1);
}

TEST(M31LseGradientIgnored, LosesTheGradientOfLse) {
  Problem p = scored(1);
  p.lse_gradient = true;
  Inputs inputs = scored_gradients(p, {0});
  fill(inputs.q, 0);
  fill(inputs.k, 3);
  fill(inputs.glse, 2);
  const Both g = run_both("canary/m31-lse-gradient-ignored", p, inputs);
  EXPECT_EQ(dq_of(g.healthy), 6);
  EXPECT_EQ(dq_of(g.faulty), 0);
  p = three_tiles(Pass::bwd);
  expect_harmless("canary/m31-lse-gradient-ignored", p, gaussian_inputs(p, 25));
}

TEST(DroppedDqTile, LosesTheSecondTileOfKeys) {
  // The 17th key alone is no zero, so dQ is its share, gL P k = 34/17, or nothing.
  Problem p = scored(17);
  p.lse_gradient = true;
  Inputs inputs = zero_inputs(p);
  set(inputs.k, 0, 0, 16, 0, 34);
  fill(inputs.glse, 1);
  const Both g = run_both("canary/dropped-dq-tile", p, inputs);
  EXPECT_NEAR(dq_of(g.healthy), 2, 2 * 0x1p-10);  // P, dS and dQ are rounded to f16
  EXPECT_EQ(dq_of(g.faulty), 0);
  EXPECT_EQ(g.faulty.dk, g.healthy.dk);
  EXPECT_EQ(g.faulty.dv, g.healthy.dv);
}

TEST(DroppedDqTile, IsRightInOneTile) {
  Problem p = three_tiles(Pass::bwd);
  p.n_k = 16;
  expect_harmless("canary/dropped-dq-tile", p, gaussian_inputs(p, 26));
}

TEST(RoundedD, MovesEveryDsByTheRoundingOfO) {
  // Two equal scores; V = 2048 and 2050 in f16: O = 2049 is stored as 2048, and dP - D = -+1
  // becomes 0 and 2.
  const Problem p = scored(2);
  Inputs inputs = zero_inputs(p);
  set(inputs.k, 0, 0, 1, 0, 0);
  fill(inputs.q, 0);
  set(inputs.v, 0, 0, 0, 0, 2048);
  set(inputs.v, 0, 0, 1, 0, 2050);
  fill(inputs.dout, 1);
  fill(inputs.k, 1);
  const Both g = run_both("canary/rounded-d", p, inputs);
  EXPECT_EQ(dq_of(g.healthy), 0);
  EXPECT_EQ(dq_of(g.faulty), 1);
}

// One key: P = 1, O = v, and dP - D = 0 unless D lost something.
Both with_narrow_d(std::string_view name, Format format, double large) {
  Problem p = scored(1, format);
  p.d_v = 2;
  Inputs inputs = zero_inputs(p);
  fill(inputs.k, 1);
  fill(inputs.dout, 1);
  set(inputs.v, 0, 0, 0, 0, large);
  set(inputs.v, 0, 0, 0, 1, 1);
  return run_both(name, p, inputs);
}

TEST(M36NarrowD, LosesTheLastBitOfARowDot) {
  const Both f16 = with_narrow_d("canary/m36-f16-d", Format::f16, 2048);
  EXPECT_EQ(dq_of(f16.healthy), 0);
  EXPECT_EQ(dq_of(f16.faulty), 1);
  const Both bf16 = with_narrow_d("canary/m36-bf16-d", Format::bf16, 256);
  EXPECT_EQ(dq_of(bf16.healthy), 0);
  EXPECT_EQ(dq_of(bf16.faulty), 1);
}

TEST(M36NarrowD, IsRightWhereDFits) {
  Problem p = three_tiles(Pass::bwd);
  p.n_k = 1;
  p.d_v = 1;
  Inputs inputs = gaussian_inputs(p, 28);
  fill(inputs.dout, 0.5);  // D = v / 2
  expect_harmless("canary/m36-f16-d", p, inputs);
}

TEST(DsTruncated, CutsWhatIsRoundedUp) {
  Problem p = scored(1);
  p.lse_gradient = true;
  Inputs inputs = zero_inputs(p);
  fill(inputs.k, 1);
  fill(inputs.glse, 1 + 0x1.8p-11);  // = dS: three quarters of a place above 1
  const Both g = run_both("canary/ds-truncated", p, inputs);
  EXPECT_EQ(dq_of(g.healthy), 1 + 0x1p-10);
  EXPECT_EQ(dq_of(g.faulty), 1);
}

TEST(DsTruncated, IsRightWhereDsFits) {
  Problem p = three_tiles(Pass::bwd);
  p.n_k = 1;
  p.lse_gradient = true;
  Inputs inputs = gaussian_inputs(p, 29);
  fill(inputs.dout, 0);
  fill(inputs.glse, 0.75);
  expect_harmless("canary/ds-truncated", p, inputs);
}

TEST(RoundedD, IsRightWithAnF32O) {
  Problem p = three_tiles(Pass::bwd);
  p.out = Format::f32;
  expect_harmless("canary/rounded-d", p, gaussian_inputs(p, 27));
}

}  // namespace
}  // namespace attest::canary_backward_test
