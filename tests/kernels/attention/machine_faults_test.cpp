// Goal: each machine fault is caught by its own check, at a line of the kernel, and `tiled` passes
// on the same case.
#include <gtest/gtest.h>

#include <string>

#include "kernels/attention/tiled.hpp"
#include "tests/kernels/attention/reported_run.hpp"

namespace attest::machine_faults_test {
namespace {

// Causal with more queries than keys: rows of one warp see no key; the second tile is ragged.
Problem telling_problem() {
  Problem p;
  p.n_q = 100;
  p.n_k = 70;
  p.d_qk = p.d_v = 16;
  p.scale = default_scale(16);
  p.right = 0;
  return p;
}

RunOutcome outcome_of(const Subject& subject, const Problem& p) {
  const Inputs inputs = gaussian_inputs(p, 12);
  Tensor o(p.out, p.o_extents());
  Tensor lse(Format::f32, p.lse_extents());
  RunSettings settings;
  settings.unit = Unit::h100;
  return subject.run(p, {inputs.q.view(), inputs.k.view(), inputs.v.view()}, {o.view(), lse.view()},
                     settings);
}

void expect_caught(std::string_view name, std::string_view rule, const Problem& p) {
  bool found = false;
  for (const DescribedSubject& each : machine_fault_subjects()) {
    if (each.subject->name() != name) continue;
    found = true;
    const RunOutcome outcome = outcome_of(*each.subject, p);
    EXPECT_EQ(outcome.kind, RunOutcome::Kind::broke_rules) << name;
    const std::string finding = std::string(rule) + " at kernels/attention/tiled_forward.hpp:";
    EXPECT_NE(outcome.detail.find(finding), std::string::npos) << outcome.detail;
  }
  EXPECT_TRUE(found) << name;
  const auto healthy = tiled_subjects();
  EXPECT_EQ(outcome_of(*healthy.front().subject, p).kind, RunOutcome::Kind::ran) << name;
}

TEST(MachineFaults, AMissingBarrierIsARace) {
  expect_caught("machine-fault/missing-barrier", "race", telling_problem());
}

TEST(MachineFaults, AReadPastTheTailIsOutOfBounds) {
  expect_caught("machine-fault/read-past-tail", "out of bounds", telling_problem());
}

TEST(MachineFaults, RowsLeftUnwrittenAreReadUninitialised) {
  Problem p = telling_problem();
  p.n_k = 17;  // the first tile is ragged: later ones hold what an earlier one left
  expect_caught("machine-fault/unwritten-tail", "uninitialised shared memory", p);
}

TEST(MachineFaults, ACollectiveInADivergentBranchIsDiagnosed) {
  expect_caught("machine-fault/divergent-collective", "divergence", telling_problem());
}

}  // namespace
}  // namespace attest::machine_faults_test
