// Goal: correct kernels where bounds of this kind break: each case is accepted, and would be
// rejected without the one term or rule that it is about.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "judge/special.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/canaries/plain_subject.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/judged.hpp"

namespace attest::nearly_broke_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double o_of(const Judged& judged) { return judged.result.o.view().value(0, 0, 0, 0); }

void expect_accepted(const Problem& p, const Inputs& inputs, const Judged& judged) {
  const std::string text = p.n_k <= 512 ? describe(p, inputs, judged.judgement) : to_string(p);
  EXPECT_EQ(judged.judgement.verdict(), Verdict::accept) << text;
}

// The only element of a tensor is accepted, and would not be without the term `name`.
void expect_needs(const TensorJudgement& tensor, std::string_view name) {
  ASSERT_EQ(tensor.judged, 1);
  ASSERT_EQ(tensor.unbounded, 0);
  const ElementJudgement& element = *tensor.worst;
  EXPECT_LE(element.error, element.budget.total);
  EXPECT_GT(element.error, element.budget.total - term_of(element.budget, name)) << name;
}

// The only output is explained by an intermediate that leaves its range, and by nothing else.
void expect_needs_range(const TensorJudgement& tensor) {
  ASSERT_EQ(tensor.judged, 1);
  const ElementJudgement& element = *tensor.worst;
  EXPECT_EQ(element.budget.unbounded, Unbounded::range);
  EXPECT_TRUE(std::isnan(element.observed));
  Budget finite = element.budget;
  for (const Unbounded why : {Unbounded::no, Unbounded::magnitude}) {
    finite.unbounded = why;
    finite.total = 1e300;
    const auto decided = judge_class(element.observed, OutputClass::finite, element.exact, finite,
                                     element.format, true);
    ASSERT_TRUE(decided);
    EXPECT_EQ(decided->verdict, Verdict::reject);
  }
}

// Weights of 1.0e-38 are below 2^-126; 64 of them times 1e38 are 64.
TEST(NearlyBroke, FlushedWeightsOfHugeValues) {
  Problem p = scored_problem(65, Format::bf16);
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  for (Index j = 1; j < p.n_k; ++j) {
    set(inputs.k, 0, 0, j, 0, -87.5);
    set(inputs.v, 0, 0, j, 0, 1e38);
  }
  const Judged judged = judge_plain(p, inputs, {.exp_ftz = true});
  EXPECT_EQ(o_of(judged), 0);
  EXPECT_GT(judged.judgement.o.worst->exact.lo, 60);
  expect_accepted(p, inputs, judged);
  expect_needs(judged.judgement.o, "P underflow");

  // From a kernel that declares no flush, the same output is wrong.
  const auto flushing = make_plain("plain", {.exp_ftz = true});
  const Numerics gradual = numerics_of({}, p);
  EXPECT_EQ(
      judge_run(*flushing, p, inputs, enclose_forward(p, inputs), gradual).judgement.verdict(),
      Verdict::reject);
}

// Rounded weights over an unrounded sum may come to more than 1: here 63 equal ones of about 0.5.
TEST(NearlyBroke, InfinityFromTheLargestF16) {
  int infinities = 0;
  for (int n = 0; n < 100; ++n) {
    Problem p = scored_problem(64);
    Inputs inputs = zero_inputs(p);
    fill(inputs.q, 1);
    fill(inputs.k, -0.625 - n * 0x1p-11);
    set(inputs.k, 0, 0, 0, 0, 0);
    fill(inputs.v, 65504);
    const Judged judged = judge_plain(p, inputs);
    expect_accepted(p, inputs, judged);
    if (!std::isinf(o_of(judged))) continue;
    ++infinities;

    // No number at all explains an infinity, only the rule does; and not for 60,000.
    const ElementJudgement& e = *judged.judgement.o.worst;
    EXPECT_EQ(judge(e.observed, e.exact, e.budget.total), Verdict::reject);
    fill(inputs.v, 60000);
    Judged smaller = judge_plain(p, inputs);
    expect_accepted(p, inputs, smaller);
    EXPECT_TRUE(std::isfinite(o_of(smaller)));
    smaller.result.o.view().set_bits(0, 0, 0, 0, 0x7c00);
    EXPECT_EQ(judge_forward(p, enclose_forward(p, inputs), numerics_of({}, p), plain_semantics(),
                            smaller.result.o.view(), smaller.result.lse.view(), Rows::live)
                  .verdict(),
              Verdict::reject);
  }
  EXPECT_GT(infinities, 5);
}

// Weights of e^-17.4 round to 0 in f16: together they are 0.4 % of the row.
TEST(NearlyBroke, RowSumOfRoundedWeightsThatAllUnderflow) {
  Problem p = scored_problem(131'073);
  p.out = Format::f32;
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  fill(inputs.k, -17.4);
  fill(inputs.v, 1);
  set(inputs.k, 0, 0, 0, 0, 0);
  set(inputs.v, 0, 0, 0, 0, 0);
  const Judged judged = judge_plain(p, inputs, {.tile_k = 1024, .l_from = LFrom::rounded});
  EXPECT_EQ(o_of(judged), 0);
  EXPECT_GT(judged.judgement.o.worst->exact.lo, 0.003);
  expect_accepted(p, inputs, judged);
  expect_needs(judged.judgement.o, "P underflow");
}

// A maximum of -2.6e12 leaves a fused shift a residual of thousands: weights of infinity, which
// meet a rescale factor of 0.
TEST(NearlyBroke, FusedFirstTileFarBelowTheSecond) {
  int found = 0;
  for (int n = 0; n < 64; ++n) {
    Problem p = scored_problem(17, Format::bf16);
    Inputs inputs = zero_inputs(p);
    fill(inputs.q, 1);
    fill(inputs.k, -2.6e12 * (1 + n / 64.0));
    fill(inputs.v, 1);
    set(inputs.k, 0, 0, 16, 0, 0);
    const PlainConfig fused{.exponent = Exponent::fused};
    const Judged judged = judge_plain(p, inputs, fused);
    expect_accepted(p, inputs, judged);
    if (!std::isnan(o_of(judged))) continue;
    ++found;
    expect_needs_range(judged.judgement.o);
    const auto subject = make_plain("plain", fused);
    EXPECT_EQ(judge_run(*subject, p, inputs, enclose_forward(p, inputs), numerics_of({}, p))
                  .judgement.verdict(),
              Verdict::reject);
    // difference_first has no such limit, and is held to numbers.
    const Judged sharp = judge_plain(p, inputs);
    expect_accepted(p, inputs, sharp);
    EXPECT_EQ(sharp.judgement.o.unbounded, 0);
  }
  EXPECT_GT(found, 5);
}

// The same residual in one tile: the weight of the maximum itself passes the end of its format.
TEST(NearlyBroke, FusedShiftOfASingleTile) {
  Problem p = scored_problem(2);
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 65504);
  fill(inputs.k, 65504);
  set(inputs.v, 0, 0, 0, 0, 1);
  set(inputs.v, 0, 0, 1, 0, -1);
  const Judged judged = judge_plain(p, inputs, {.exponent = Exponent::fused});
  expect_accepted(p, inputs, judged);
  expect_needs_range(judged.judgement.o);
}

// 256 values of 2^120 pass binary32's end before a larger score makes them vanish.
TEST(NearlyBroke, PeakInTheFrameOfAnEarlierMaximum) {
  Problem p = scored_problem(257, Format::bf16);
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  fill(inputs.v, 0x1p120);
  set(inputs.k, 0, 0, 256, 0, 1000);
  set(inputs.v, 0, 0, 256, 0, 1);
  const Judged judged = judge_plain(p, inputs);
  expect_accepted(p, inputs, judged);
  expect_needs_range(judged.judgement.o);
  // One value less than half of that, and the row is judged by its number.
  for (Index j = 127; j < 256; ++j) set(inputs.v, 0, 0, j, 0, 0);
  const Judged bounded = judge_plain(p, inputs);
  expect_accepted(p, inputs, bounded);
  EXPECT_EQ(bounded.judgement.o.unbounded, 0);
  EXPECT_EQ(o_of(bounded), 1);
}

// Keys far below the maximum whose own scores cancel: by exact scores they fade in their frame, by
// computed ones they all tie, and their values add up past binary32's end.
TEST(NearlyBroke, PeakOfFarKeysWhoseScoresCancel) {
  Problem p = scored_problem(32, Format::bf16);
  p.d_qk = 4;
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  for (Index j = 0; j < 16; ++j) {
    set(inputs.k, 0, 0, j, 0, 0x1.8p30);
    set(inputs.k, 0, 0, j, 1, j == 0 ? 0 : -60);  // lost in the sum
    set(inputs.k, 0, 0, j, 2, -0x1.8p30);
    set(inputs.k, 0, 0, j, 3, -0x1p20);
    set(inputs.v, 0, 0, j, 0, j == 0 ? 0 : 0x1p126);
  }
  for (Index j = 16; j < 32; ++j) set(inputs.v, 0, 0, j, 0, 1);
  const Judged judged = judge_plain(p, inputs);
  expect_accepted(p, inputs, judged);
  expect_needs_range(judged.judgement.o);
}

// Products below binary32's normal range under a scale that lifts them back.
TEST(NearlyBroke, ScoresFromSubnormalProducts) {
  Problem p;
  p.d_qk = 64;
  p.in = Format::bf16;
  p.out = Format::f32;
  p.scale = 0x1p126f;
  double needed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Inputs inputs = gaussian_inputs(p, seed);
    for (Tensor* tensor : {&inputs.q, &inputs.k}) {
      for_each(tensor->extents(), [&](Index b, Index h, Index row, Index column) {
        set(*tensor, b, h, row, column, tensor->view().value(b, h, row, column) * 0x1p-76);
      });
    }
    const Judged judged = judge_plain(p, inputs, {.p_format = Format::f32});
    expect_accepted(p, inputs, judged);
    const ElementJudgement& e = *judged.judgement.lse.worst;
    needed = std::max(needed, e.error / (e.budget.total - term_of(e.budget, "scores")));
  }
  EXPECT_GT(needed, 1.5);
}

// A rescale factor that underflows takes huge values with it.
TEST(NearlyBroke, RescaleFactorsThatUnderflow) {
  Problem p = scored_problem(32, Format::bf16);
  p.out = Format::f32;
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  fill(inputs.v, 0x1p120);
  for (Index j = 16; j < 32; ++j) {
    set(inputs.k, 0, 0, j, 0, 87.5);
    set(inputs.v, 0, 0, j, 0, 0);
  }
  const Judged judged = judge_plain(p, inputs, {.exp_ftz = true});
  EXPECT_EQ(o_of(judged), 0);
  EXPECT_GT(judged.judgement.o.worst->exact.lo, 0.01);
  expect_accepted(p, inputs, judged);
  expect_needs(judged.judgement.o, "P underflow");
}

// Weights that were divided before P V are not divided again: what underflows there stays.
TEST(NearlyBroke, NormalisedWeightsOfTheSmallestValues) {
  Problem p = scored_problem(768, Format::bf16);
  p.out = Format::f32;
  Inputs inputs = zero_inputs(p);
  fill(inputs.v, 0x1p-133);
  const std::unique_ptr<Subject> subject = std::move(materialising_subjects().front().subject);
  const Judged judged = judge_run(*subject, p, inputs, enclose_forward(p, inputs),
                                  subject->numerics(p, Unit::fp32_seq));
  expect_accepted(p, inputs, judged);
  const ElementJudgement& e = *judged.judgement.o.worst;
  EXPECT_GT(e.error, term_of(e.budget, "PV accumulation") / 768);  // 1/768 of it was too little
  expect_needs(judged.judgement.o, "PV accumulation");
}

}  // namespace
}  // namespace attest::nearly_broke_test
