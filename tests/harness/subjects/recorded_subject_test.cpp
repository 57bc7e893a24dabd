// Goal: a recorded call comes back bit for bit as a run of its one problem, and of no other.
#include "harness/subjects/recorded_subject.hpp"

#include <gtest/gtest.h>

#include "properties/execution.hpp"

namespace attest::recorded_subject_test {
namespace {

RecordedCall ones(Pass pass) {
  RecordedCall call;
  Problem& p = call.problem;
  p.n_q = 2;
  p.d_v = 3;
  p.pass = pass;
  call.inputs = zero_inputs(p);
  const auto of_ones = [](Format format, const Extents& extents) {
    Tensor tensor(format, extents);
    for (std::byte& byte : tensor.bytes()) byte = std::byte{1};
    return tensor;
  };
  call.o = of_ones(p.out, p.o_extents());
  call.lse = of_ones(Format::f32, p.lse_extents());
  if (pass == Pass::fwd) return call;
  call.dq = of_ones(p.out, p.q_extents());
  call.dk = of_ones(p.out, p.k_extents());
  call.dv = of_ones(p.out, p.v_extents());
  return call;
}

TEST(RecordedSubject, RunsAsItRan) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const RecordedCall call = ones(pass);
    const auto subject = recorded_subject(call);
    const Execution run = execute(*subject, call.problem, call.inputs, {*subject->own_unit()});
    ASSERT_EQ(run.outcome.kind, RunOutcome::Kind::ran);
    EXPECT_EQ(run.outputs, (Outputs{call.o, call.lse, call.dq, call.dk, call.dv}));
  }
}

TEST(RecordedSubject, DeclinesWhatItDidNotRun) {
  const auto subject = recorded_subject(ones(Pass::fwd));
  EXPECT_EQ(subject->unsupported(ones(Pass::bwd).problem, Unit::device),
            "it is the record of one problem");
  EXPECT_EQ(subject->unsupported(ones(Pass::fwd).problem, Unit::h100), "its unit is device");
  EXPECT_EQ(subject->unsupported(ones(Pass::fwd).problem, Unit::device), std::nullopt);
}

TEST(RecordedSubject, HasTheUnitThatItDeclares) {
  RecordedCall call = ones(Pass::fwd);
  call.numerics.unit = Unit::a100;
  EXPECT_EQ(recorded_subject(call)->own_unit(), Unit::a100);
}

}  // namespace
}  // namespace attest::recorded_subject_test
