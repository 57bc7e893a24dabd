// Goal: classes before numbers for gradients, rows and keys that nothing reaches, and what happens
// where a forward or a weight has no bound.
#include "judge/judge_backward.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/judged_gradients.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::judge_backward_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Judged {
  BackwardRun run;
  Answer answer;
  BackwardAnswer exact;
  ScalarGradients gradients;

  [[nodiscard]] Judgement judge(Rows rows = Rows::live,
                                BeyondLengths beyond = BeyondLengths::zero) const {
    Semantics semantics;
    semantics.beyond_lengths = beyond;
    return judge_backward(run.p, run.inputs, answer, exact, View::end_to_end, run.how, semantics,
                          {gradients.dq.view(), gradients.dk.view(), gradients.dv.view()}, rows);
  }
};

// Causal with more queries than keys: some rows are dead; the last key of three is beyond.
Judged causal_case() {
  Judged c{{}, Answer(Problem{}), {}, {}};
  Problem& p = c.run.p;
  p.pass = Pass::bwd;
  p.n_q = 6;
  p.n_k = 4;
  p.lq = {5};
  p.lk = {3};
  p.right = -1;  // and key 2 is seen by nobody
  p.d_qk = 2;
  p.d_v = 3;
  c.run.inputs = gaussian_inputs(p, 3);
  c.run.how = exact_backward("o_format=f16");
  const JudgedGradients judged = judge_scalar(c.run);
  EXPECT_EQ(judged.end_to_end.verdict(), Verdict::accept) << describe(c.run, judged.end_to_end);
  c.answer = enclose_forward(p, c.run.inputs);
  c.exact = enclose_backward(p, c.run.inputs);
  c.gradients = judged.gradients;
  return c;
}

TEST(JudgeBackward, ShowsAWitnessEveryElementWithItsTerms) {
  const Judged c = causal_case();
  for (const Rows rows : {Rows::live, Rows::declared}) {
    Index seen = 0;
    const auto witness = [&](const ElementJudgement& e) {
      ++seen;
      double sum = 0;
      for (const BudgetTerm& term : e.budget.terms) sum += term.value;
      EXPECT_EQ(e.budget.terms.empty(), rows == Rows::declared);
      EXPECT_LE(sum, e.budget.total * (1 + 1e-9));
    };
    const Judgement judged = judge_backward(
        c.run.p, c.run.inputs, c.answer, c.exact, View::end_to_end, c.run.how, {},
        {c.gradients.dq.view(), c.gradients.dk.view(), c.gradients.dv.view()}, rows, witness);
    EXPECT_EQ(seen, judged.judged());
    EXPECT_TRUE(rows != Rows::live || seen > 0);
  }
}

TEST(JudgeBackward, WantsZerosWhereNoPairReaches) {
  Judged c = causal_case();
  const Judgement declared = c.judge(Rows::declared);
  EXPECT_EQ(declared.verdict(), Verdict::accept);
  // Off = lk - lq = -2: rows 3 and 4 see keys 0 and 0, 1; row 5 and key 3 are beyond.
  EXPECT_EQ(declared.dq.judged, 4 * 2);
  EXPECT_EQ(declared.dk.judged, 2 * 2);
  EXPECT_EQ(declared.dv.judged, 2 * 3);
  EXPECT_EQ(c.judge().dq.judged, 2 * 2);

  set(c.gradients.dk, 0, 0, 2, 1, -0.0);
  EXPECT_EQ(c.judge(Rows::declared).verdict(), Verdict::accept);
  for (const double wrong : {kNaN, kInfinity, 0x1p-24}) {
    set(c.gradients.dk, 0, 0, 2, 1, wrong);
    EXPECT_EQ(c.judge(Rows::declared).dk.rejected, 1);
    EXPECT_EQ(c.judge().verdict(), Verdict::accept);
  }
}

TEST(JudgeBackward, FollowsTheDeclarationBeyondLengths) {
  Judged c = causal_case();
  set(c.gradients.dv, 0, 0, 3, 0, 5);
  set(c.gradients.dq, 0, 0, 5, 0, kNaN);
  const Judgement zero = c.judge(Rows::declared);
  EXPECT_EQ(zero.dv.rejected, 1);
  EXPECT_EQ(zero.dq.rejected, 1);
  const Judgement untouched = c.judge(Rows::declared, BeyondLengths::untouched);
  EXPECT_EQ(untouched.verdict(), Verdict::accept);
  EXPECT_EQ(untouched.dq.judged, 3 * 2);
}

TEST(JudgeBackward, RejectsWrongNumbersAndNaN) {
  Judged c = causal_case();
  for (const double wrong : {kNaN, kInfinity, 1000.0}) {
    Judged w = c;
    set(w.gradients.dq, 0, 0, 4, 0, wrong);
    set(w.gradients.dk, 0, 0, 0, 1, wrong);
    set(w.gradients.dv, 0, 0, 1, 2, wrong);
    const Judgement j = w.judge();
    EXPECT_EQ(j.dq.rejected, 1);
    EXPECT_EQ(j.dk.rejected, 1);
    EXPECT_EQ(j.dv.rejected, 1);
    EXPECT_EQ(j.dv.worst->i, 1);
    EXPECT_EQ(j.dv.worst->k, 2);
    EXPECT_FALSE(j.dv.worst->reason.empty());
  }
}

TEST(JudgeBackward, WantsALiveNaNToShow) {
  Judged c = causal_case();
  set(c.run.inputs.dout, 0, 0, 3, 1, kNaN);
  c.exact = enclose_backward(c.run.p, c.run.inputs);
  const Judgement hidden = c.judge();
  EXPECT_EQ(hidden.dq.rejected, 2);  // row 3
  EXPECT_EQ(hidden.dk.rejected, 2);  // key 0, which it sees
  EXPECT_EQ(hidden.dv.rejected, 1);  // column 1 of key 0
  for (const Index column : {0, 1}) {
    set(c.gradients.dq, 0, 0, 3, column, kNaN);
    set(c.gradients.dk, 0, 0, 0, column, kNaN);
  }
  set(c.gradients.dv, 0, 0, 0, 1, kNaN);
  EXPECT_EQ(c.judge().verdict(), Verdict::accept);
}

// Scores of 1e9 leave an LSE, and with it every weight, off by anything.
TEST(JudgeBackward, JudgesNoNumberWhereTheForwardHasNoBudget) {
  BackwardRun run;
  run.p.pass = Pass::bwd;
  run.p.n_k = 3;
  run.p.in = run.p.out = Format::f32;
  run.inputs = gaussian_inputs(run.p, 1);
  run.how = exact_backward();
  fill(run.inputs.q, 1e9);
  const JudgedGradients judged = judge_scalar(run);
  EXPECT_EQ(judged.end_to_end.verdict(), Verdict::accept);
  EXPECT_EQ(judged.end_to_end.dq.unbounded, 1);
  EXPECT_EQ(judged.end_to_end.dv.unbounded, 3);
  EXPECT_TRUE(judged.end_to_end.dq.worst->budget.terms.empty());
}

// What is left open costs accuracy, but never a verdict that a full declaration would have given.
TEST(JudgeBackward, AcceptsEveryKernelThatDeclaresNothing) {
  for (const std::string_view changes :
       {"", "d_source=f32_o;p_in_ds=rounded;p_format=f16;ds_format=f16;o_format=f16",
        "d_source=p_dp;dq_sum=atomic:16;exponent=fused;group_sum=per_head:f16;o_format=f16"}) {
    BackwardRun run;
    run.p.pass = Pass::bwd;
    run.p.heads_q = 2;
    run.p.n_q = 5;
    run.p.n_k = 20;
    run.p.d_qk = run.p.d_v = 3;
    run.inputs = gaussian_inputs(run.p, 4);
    run.how = exact_backward(changes);
    run.off = {0.999, 0.999};
    const JudgedGradients judged = judge_scalar(run);
    const Answer answer = enclose_forward(run.p, run.inputs);
    for (const View view : {View::end_to_end, View::stage_wise}) {
      const Judgement j = judge_as(run, answer, judged.forward, judged.gradients, view, {});
      EXPECT_EQ(j.verdict(), Verdict::accept) << changes;
      EXPECT_EQ(j.dq.unbounded + j.dk.unbounded + j.dv.unbounded, 0);
      EXPECT_GE(j.assumed.size(), 6u);
    }
  }
}

}  // namespace
}  // namespace attest::judge_backward_test
