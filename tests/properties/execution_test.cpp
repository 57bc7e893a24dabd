// Goal: a subject runs on outputs that hold poison, so that what it leaves unwritten is seen, and
// the poison is a NaN in every format.
#include "properties/execution.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
  EXPECT_DEATH((void)execute(IdleSubject{}, p, zero_inputs(wide), {}), "q_extents");
}

}  // namespace
}  // namespace attest
