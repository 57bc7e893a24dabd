// Goal: a subject runs on outputs that hold poison, so that what it leaves unwritten is seen, and
// the poison is a NaN in every format.
#include "properties/execution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/error.hpp"
#include "tests/properties/drawn.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::execution_test {
namespace {

// Writes nothing at all.
class IdleSubject final : public Subject {
 public:
  [[nodiscard]] std::string name() const override { return "idle"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit) const override {
    if (problem.d_v > 8) return "d_v is above 8";
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem&, Unit) const override { return {}; }
  [[nodiscard]] Semantics semantics() const override { return {}; }
  RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs&,
                 const RunSettings&) const override {
    return {RunOutcome::Kind::broke_rules, "slept"};
  }
};

TEST(Execution, PoisonIsANanInEveryFormat) {
  for (const Format format : kFormats) {
    EXPECT_TRUE(std::isnan(widen_bits(format, poison_bits(format)))) << shape_of(format).name;
  }
}

TEST(Execution, WhatIsNotWrittenStaysPoison) {
  const Problem p = open_problem(Format::bf16, 3, 2, 4);
  const Execution run = execute(IdleSubject{}, p, zero_inputs(p), {});
  EXPECT_EQ(run.outcome.kind, RunOutcome::Kind::broke_rules);
  EXPECT_EQ(run.outcome.detail, "slept");
  for (Index i = 0; i < p.n_q; ++i) {
    EXPECT_EQ(run.outputs.lse.view().bits(0, 0, i, 0), poison_bits(Format::f32));
    for (Index k = 0; k < p.d_v; ++k) {
      EXPECT_EQ(run.outputs.o.view().bits(0, 0, i, k), poison_bits(Format::bf16));
    }
  }
}

TEST(Execution, NamesTheFirstElementLeftUnwritten) {
  Problem p = open_problem(Format::bf16, 3, 2, 4);
  Execution run = execute(RowwiseSubject{}, p, values_of("F0", p, 1), {});
  const auto unwritten = [&] { return first_unwritten(p, named_outputs(run.outputs)); };
  EXPECT_EQ(unwritten(), "");
  run.outputs.lse.view().set_bits(0, 0, 2, 0, poison_bits(Format::f32));
  EXPECT_EQ(unwritten(), "lse[b=0 h=0 i=2]");
  run.outputs.o.view().set_bits(0, 0, 1, 3, poison_bits(Format::bf16));
  EXPECT_EQ(unwritten(), "o[b=0 h=0 i=1 d=3]");
  p.lq = {1};  // rows from lq on may be left alone
  EXPECT_EQ(unwritten(), "");
}

template <class Thrown>
class Thrower final : public Subject {
 public:
  explicit Thrower(Thrown thrown) : thrown_(std::move(thrown)) {}
  [[nodiscard]] std::string name() const override { return "thrower"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem&, Unit) const override { return {}; }
  [[nodiscard]] Semantics semantics() const override { return {}; }
  RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs&,
                 const RunSettings&) const override {
    throw Thrown(thrown_);
  }

 private:
  Thrown thrown_;
};

TEST(Execution, ASubjectThatThrowsHasCrashed) {
  const Problem p = open_problem(Format::f16, 1, 1, 1);
  const Execution run = execute(Thrower(std::runtime_error("out of luck")), p, zero_inputs(p), {});
  EXPECT_EQ(run.outcome.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(run.outcome.detail, "threw: out of luck");
}

TEST(Execution, LeavesAFaultOfOursToWhoReportsIt) {
  const Problem p = open_problem(Format::f16, 1, 1, 1);
  const Thrower ours(Error(Blame::ours, "no process"));
  EXPECT_THROW((void)execute(ours, p, zero_inputs(p), {}), Error);
  const Thrower its(Error(Blame::usage, "no such key"));
  EXPECT_EQ(execute(its, p, zero_inputs(p), {}).outcome.detail, "threw: no such key");
}

Problem backward_problem(Index n_q, Index n_k, Index d) {
  Problem p = open_problem(Format::f16, n_q, n_k, d);
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  return p;
}

TEST(Execution, NamesKeyRowsOfGradientsLeftUnwritten) {
  Problem p = backward_problem(3, 4, 2);
  p.lk = {3};
  Execution run = execute(RowwiseSubject{}, p, values_of("F0", p, 1), {});
  const auto unwritten = [&] { return first_unwritten(p, named_gradients(run.outputs)); };
  run.outputs.o.view().set_bits(0, 0, 0, 0, poison_bits(Format::f16));   // no gradient
  run.outputs.dv.view().set_bits(0, 0, 3, 0, poison_bits(Format::f16));  // a key beyond the length
  EXPECT_EQ(unwritten(), "");
  run.outputs.dv.view().set_bits(0, 0, 2, 1, poison_bits(Format::f16));
  EXPECT_EQ(unwritten(), "dv[b=0 h=0 j=2 d=1]");
  run.outputs.dq.view().set_bits(0, 0, 2, 0, poison_bits(Format::f16));
  EXPECT_EQ(unwritten(), "dq[b=0 h=0 i=2 d=0]");
}

TEST(Execution, RunsTheBackwardFromWhatTheForwardLeft) {
  const Problem p = backward_problem(3, 4, 2);
  const Inputs inputs = values_of("F0", p, 1);
  const Execution whole = execute(RowwiseSubject{}, p, inputs, {});
  const Execution again = execute_backward(RowwiseSubject{}, p, inputs, whole.outputs, {});
  EXPECT_EQ(again.outputs, whole.outputs);
  // From another O it has other gradients, and that O is handed on as it was.
  Outputs other = whole.outputs;
  other.o.view().set_bits(0, 0, 1, 0, round_to_bits(Format::f16, 3.0));
  const Execution moved = execute_backward(RowwiseSubject{}, p, inputs, other, {});
  EXPECT_EQ(moved.outputs.o, other.o);
  EXPECT_EQ(moved.outputs.lse, other.lse);
  EXPECT_NE(moved.outputs.dq, whole.outputs.dq);
  EXPECT_EQ(moved.outputs.dv, whole.outputs.dv);  // which no O enters
  // One query and one key: dV is dO.
  const Problem one = backward_problem(1, 1, 2);
  const Inputs few = values_of("F0", one, 1);
  EXPECT_EQ(execute(RowwiseSubject{}, one, few, {}).outputs.dv, few.dout);
}

TEST(Execution, DoesNotRunABackwardAfterAForwardThatFailed) {
  const Problem p = backward_problem(2, 2, 4);
  const Execution run = execute(IdleSubject{}, p, zero_inputs(p), {});
  EXPECT_EQ(run.outcome.detail, "slept");
  EXPECT_EQ(run.outputs, poisoned_outputs(p));
}

TEST(Execution, BringsWhatTheSubjectWrote) {
  const Problem p = open_problem(Format::f16, 1, 1, 2);
  const Inputs inputs = values_of("F0", p, 1);
  const Execution run = execute(RowwiseSubject{}, p, inputs, {});
  EXPECT_EQ(run.outcome.kind, RunOutcome::Kind::ran);
  EXPECT_EQ(run.outputs.o, inputs.v);  // one key: O is V
  EXPECT_NEAR(run.outputs.lse.view().value(0, 0, 0, 0), scaled_score(p, inputs, 0, 0), 1e-6);
}

TEST(ExecutionDeathTest, InsistsOnASupportedProblemAndItsShapes) {
  const Problem wide = open_problem(Format::f16, 1, 1, 16);
  EXPECT_DEATH((void)execute(IdleSubject{}, wide, zero_inputs(wide), {}), "unsupported");
  const Problem p = open_problem(Format::f16, 1, 1, 2);
  EXPECT_DEATH((void)execute(IdleSubject{}, p, zero_inputs(wide), {}), "has_shapes_of");
  EXPECT_DEATH((void)execute_backward(IdleSubject{}, p, zero_inputs(p), poisoned_outputs(p), {}),
               "Pass::bwd");
}

}  // namespace
}  // namespace attest::execution_test
