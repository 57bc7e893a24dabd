// Goal: correct backward kernels where a budget of gradients needs one particular term: each case
// is accepted as declared, and rejected by a declaration that lacks what the case is about.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/judged_gradients.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::gradients_nearly_broke_test {
namespace {

BackwardRun gaussian_run(Index n_q, Index n_k, Index d, Format in, Format out) {
  BackwardRun run;
  run.p.pass = Pass::bwd;
  run.p.n_q = n_q;
  run.p.n_k = n_k;
  run.p.d_qk = run.p.d_v = d;
  run.p.in = in;
  run.p.out = out;
  run.p.scale = default_scale(d);
  run.inputs = gaussian_inputs(run.p, 5);
  return run;
}

JudgedGradients accepted(const BackwardRun& run) {
  JudgedGradients judged = judge_scalar(run);
  EXPECT_EQ(judged.end_to_end.verdict(), Verdict::accept) << describe(run, judged.end_to_end);
  EXPECT_EQ(judged.stage_wise.verdict(), Verdict::accept) << describe(run, judged.stage_wise);
  return judged;
}

Judgement stage_as(const BackwardRun& run, const JudgedGradients& judged,
                   std::string_view changes) {
  return judge_as(run, enclose_forward(run.p, run.inputs), judged.forward, judged.gradients,
                  View::stage_wise, changed(run.how, changes));
}

double term_of(const TensorJudgement& tensor, std::string_view name) {
  for (const BudgetTerm& term : tensor.worst->budget.terms) {
    if (term.name == name) return term.value;
  }
  return 0;
}

// The worst element would have been rejected without the term.
void expect_needs(const TensorJudgement& tensor, std::string_view name) {
  const ElementJudgement& worst = *tensor.worst;
  EXPECT_LE(worst.error, worst.budget.total);
  EXPECT_GT(worst.error, worst.budget.total - term_of(tensor, name)) << name;
}

TEST(GradientsNearlyBroke, WeightsRoundedWhereDsTakesThem) {
  BackwardRun run = gaussian_run(8, 8, 4, Format::f32, Format::f32);
  run.how = exact_backward("p_format=bf16;p_in_ds=rounded");
  const JudgedGradients judged = accepted(run);
  expect_needs(judged.stage_wise.dq, "P rounding");
  expect_needs(judged.stage_wise.dk, "P rounding");
  const Judgement unrounded = stage_as(run, judged, "p_in_ds=f32");
  EXPECT_GT(unrounded.dq.worst_ratio, 100);
  EXPECT_GT(unrounded.dk.worst_ratio, 100);
  EXPECT_EQ(unrounded.dv.rejected, 0);
}

// Products of dO and V below 2^-126, under a scale that lifts what is left of them.
TEST(GradientsNearlyBroke, FlushedProductsOfTinyGradients) {
  BackwardRun run = gaussian_run(4, 8, 4, Format::bf16, Format::f32);
  for (Tensor* tensor : {&run.inputs.v, &run.inputs.dout}) {
    for_each(tensor->extents(), [&](Index b, Index h, Index row, Index column) {
      set(*tensor, b, h, row, column, tensor->view().value(b, h, row, column) * 0x1p-63);
    });
  }
  run.how = exact_backward("ftz=yes;p_format=f32;ds_format=f32");
  const JudgedGradients judged = accepted(run);
  EXPECT_EQ(stage_as(run, judged, "ftz=no").verdict(), Verdict::reject);
}

// A truncating accumulator loses a little at each of many blocks, always toward zero.
TEST(GradientsNearlyBroke, OneAccumulatorForAllTilesOfDq) {
  BackwardRun run = gaussian_run(1, 12'000, 1, Format::f16, Format::f32);
  fill(run.inputs.q, 0);
  fill(run.inputs.dout, 1);
  for (Index j = 0; j < run.p.n_k; ++j) {
    set(run.inputs.k, 0, 0, j, 0, j % 4 < 2 ? 1 : 0);
    set(run.inputs.v, 0, 0, j, 0, j % 4 < 2 ? 1 : -1);
  }
  run.how = exact_backward("unit=v100;dq_sum=one_chain:16");
  const JudgedGradients judged = accepted(run);
  expect_needs(judged.stage_wise.dq, "accumulation");
  EXPECT_EQ(stage_as(run, judged, "dq_sum=ordered:16").dq.rejected, 1);
}

// Values of about 100: their O loses half a unit when it is stored, dP - D is about 1.
TEST(GradientsNearlyBroke, DFromAnOutputThatIsNotTheStoredOne) {
  BackwardRun run = gaussian_run(4, 8, 4, Format::bf16, Format::bf16);
  for_each(run.p.v_extents(), [&](Index b, Index h, Index row, Index column) {
    set(run.inputs.v, b, h, row, column, 100 + run.inputs.v.view().value(b, h, row, column));
  });
  run.how = exact_backward("d_source=f32_o;o_format=bf16");
  run.off = {0.5, 0};
  const JudgedGradients judged = accepted(run);
  expect_needs(judged.stage_wise.dk, "D");
  const Judgement as_stored = stage_as(run, judged, "d_source=stored_o");
  EXPECT_GT(as_stored.dk.worst_ratio, 5);
  EXPECT_EQ(as_stored.dv.rejected, 0);
}

// K = 0 leaves scores without an error: only dK meets the rounded scale q.
TEST(GradientsNearlyBroke, ScaledQueriesThatDkMeetsAgain) {
  BackwardRun run = gaussian_run(8, 8, 4, Format::f16, Format::f32);
  run.p.scale = 0x1.5555p-2F;
  fill(run.inputs.k, 0);
  run.how = exact_backward("scale_at=q:f16");
  const JudgedGradients judged = accepted(run);
  expect_needs(judged.stage_wise.dk, "scaled Q");
  const Judgement as_scores = stage_as(run, judged, "scale_at=scores");
  EXPECT_GT(as_scores.dk.worst_ratio, 100);
  EXPECT_EQ(as_scores.dq.rejected, 0);
}

// Two heads whose gradients cancel, each rounded to 8 bits.
TEST(GradientsNearlyBroke, HeadsThatCancelAfterTheyWereStored) {
  BackwardRun run = gaussian_run(6, 8, 4, Format::f16, Format::f32);
  run.p.heads_q = 2;
  run.inputs = gaussian_inputs(run.p, 6);
  for_each(run.p.q_extents(), [&](Index b, Index h, Index row, Index column) {
    if (h == 0) return;
    const TensorView q = run.inputs.q.view();
    const TensorView dout = run.inputs.dout.view();
    q.set_bits(b, h, row, column, q.bits(b, 0, row, column));
    // Nearly the negative of the other head's.
    set(run.inputs.dout, b, h, row, column, -1.0625 * dout.value(b, 0, row, column));
  });
  run.how = exact_backward("group_sum=per_head:bf16");
  const JudgedGradients judged = accepted(run);
  expect_needs(judged.stage_wise.dk, "group sum");
  expect_needs(judged.stage_wise.dv, "group sum");
  const Judgement chained = stage_as(run, judged, "group_sum=one_chain");
  EXPECT_GT(chained.dk.worst_ratio, 100);
  EXPECT_GT(chained.dv.worst_ratio, 100);
  EXPECT_EQ(chained.dq.rejected, 0);
}

// V = const: dS is exactly 0, but the computed one is pi times D's error, and it is that which is
// rounded. The mean key cancels, so dQ is left with nothing but these roundings.
TEST(GradientsNearlyBroke, RoundingActsOnTheComputedScoreGradient) {
  BackwardRun run = gaussian_run(1, 9, 1, Format::f32, Format::bf16);
  fill(run.inputs.q, 1);
  fill(run.inputs.k, -1);
  double k = 1;  // k e^k = 8 / e: it outweighs eight keys at -1
  for (int n = 0; n < 20; ++n) k -= (k * std::exp(k) - 8 / std::exp(1.0)) / ((k + 1) * std::exp(k));
  set(run.inputs.k, 0, 0, 0, 0, k);
  fill(run.inputs.v, 1.003);  // no bfloat16
  fill(run.inputs.dout, 1);
  run.how = exact_backward("o_format=bf16;ds_format=bf16");
  const JudgedGradients judged = accepted(run);
  EXPECT_EQ(judged.end_to_end.dq.worst->exact.hi, 0);
  expect_needs(judged.end_to_end.dq, "dS rounding");
}

// An LSE of 8e6 may be off by nearly 1, and weights by e times themselves: not by 1 + 1.
TEST(GradientsNearlyBroke, SecondOrderOfAnLseThatIsOffByNearlyOne) {
  BackwardRun run = gaussian_run(1, 1, 1, Format::f32, Format::f32);
  run.p.scale = 1;
  fill(run.inputs.q, 7e6);
  fill(run.inputs.k, 1);
  run.how = exact_backward();
  run.off = {0, -0.999};
  const JudgedGradients judged = accepted(run);
  const ElementJudgement& dv = *judged.end_to_end.dv.worst;
  const double lse = 7e6 - judged.forward.lse.view().value(0, 0, 0, 0);
  ASSERT_GT(lse, 0.4);
  const double first_order = lse * std::fabs(run.inputs.dout.view().value(0, 0, 0, 0));
  EXPECT_GT(dv.error, first_order * 1.2);
  EXPECT_GT(term_of(judged.end_to_end.dv, "LSE"), first_order * 1.2);
}

// Accepted though the kernel shows no number, because an intermediate may leave its range.
void expect_range(const TensorJudgement& tensor) {
  EXPECT_EQ(tensor.unbounded, tensor.judged);
  EXPECT_EQ(tensor.rejected, 0);
  ASSERT_TRUE(tensor.worst);
  EXPECT_EQ(tensor.worst->budget.unbounded, Unbounded::range);
}

// The score loses what its LSE keeps: 2^40 against 2^40 - 2^16, and the weight of one key is
// infinite.
TEST(GradientsNearlyBroke, AnLseThatIsOffByAnything) {
  BackwardRun run = gaussian_run(1, 1, 3, Format::f32, Format::f32);
  run.p.scale = 1;
  fill(run.inputs.q, 1);
  fill(run.inputs.k, -30'000);
  set(run.inputs.k, 0, 0, 0, 0, 0x1p40);
  run.how = exact_backward();
  const JudgedGradients judged = accepted(run);
  EXPECT_TRUE(std::isinf(judged.gradients.dv.view().value(0, 0, 0, 0)));
  EXPECT_TRUE(std::isnan(judged.gradients.dq.view().value(0, 0, 0, 0)));
  expect_range(judged.end_to_end.dv);
  expect_range(judged.end_to_end.dq);
  expect_range(judged.stage_wise.dk);
}

// One dP of 2^129 under a weight of e^-20: the exact D is far inside the range, the computed one
// not.
TEST(GradientsNearlyBroke, OneInfiniteProductUnderDFromPAndDp) {
  BackwardRun run = gaussian_run(1, 2, 1, Format::f32, Format::f32);
  run.p.scale = 1;
  fill(run.inputs.q, 1);
  fill(run.inputs.k, 0);
  set(run.inputs.k, 0, 0, 0, 0, -20);
  fill(run.inputs.v, 1);
  set(run.inputs.v, 0, 0, 0, 0, 0x1p69);
  fill(run.inputs.dout, 0x1p60);
  run.how = exact_backward("d_source=p_dp");
  const JudgedGradients judged = accepted(run);
  EXPECT_FALSE(std::isfinite(judged.gradients.dk.view().value(0, 0, 1, 0)));
  expect_range(judged.stage_wise.dk);
  expect_range(judged.stage_wise.dq);
  EXPECT_EQ(judged.stage_wise.dv.unbounded, 0);
}

// A store toward zero has no infinity of its own.
TEST(GradientsNearlyBroke, AProductWithTheScaleThatOverflowsBeforeAStoreTowardZero) {
  BackwardRun run = gaussian_run(1, 2, 1, Format::f32, Format::f32);
  run.p.scale = 0x1p30F;
  fill(run.inputs.q, 0);
  fill(run.inputs.k, 0);
  set(run.inputs.k, 0, 0, 0, 0, 0x1p100);
  fill(run.inputs.v, -1);
  set(run.inputs.v, 0, 0, 0, 0, 1);
  fill(run.inputs.dout, 1);
  run.how = exact_backward("o_rounding=toward_zero");
  const JudgedGradients judged = accepted(run);
  EXPECT_TRUE(std::isinf(judged.gradients.dq.view().value(0, 0, 0, 0)));
  expect_range(judged.stage_wise.dq);
  EXPECT_EQ(judged.stage_wise.dk.unbounded, 0);
}

}  // namespace
}  // namespace attest::gradients_nearly_broke_test
