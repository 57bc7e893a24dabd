// Goal: a subject runs on outputs that hold poison, so that what it leaves unwritten is seen, and
// the poison is a NaN in every format.
#include "properties/execution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/properties/drawn.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest {
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
  EXPECT_EQ(first_unwritten(p, run.outputs), "");
  run.outputs.lse.view().set_bits(0, 0, 2, 0, poison_bits(Format::f32));
  EXPECT_EQ(first_unwritten(p, run.outputs), "lse[b=0 h=0 i=2]");
  run.outputs.o.view().set_bits(0, 0, 1, 3, poison_bits(Format::bf16));
  EXPECT_EQ(first_unwritten(p, run.outputs), "o[b=0 h=0 i=1 d=3]");
  p.lq = {1};  // rows from lq on may be left alone
  EXPECT_EQ(first_unwritten(p, run.outputs), "");
}

TEST(Execution, ASubjectThatThrowsHasCrashed) {
  class Thrower final : public Subject {
   public:
    [[nodiscard]] std::string name() const override { return "thrower"; }
    [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
      return std::nullopt;
    }
    [[nodiscard]] Numerics numerics(const Problem&, Unit) const override { return {}; }
    [[nodiscard]] Semantics semantics() const override { return {}; }
    RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs&,
                   const RunSettings&) const override {
      throw std::runtime_error("out of luck");
    }
  };
  const Problem p = open_problem(Format::f16, 1, 1, 1);
  const Execution run = execute(Thrower{}, p, zero_inputs(p), {});
  EXPECT_EQ(run.outcome.kind, RunOutcome::Kind::crashed);
  EXPECT_EQ(run.outcome.detail, "threw: out of luck");
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
}

}  // namespace
}  // namespace attest
