// Goal: a bundled subject gives the same bits in a worker as at home.
#include "harness/subjects/isolated_subject.hpp"

#include <gtest/gtest.h>

#include "harness/subjects/choice.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "tests/core/refusal.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::isolated_subject_test {
namespace {

using Kind = RunOutcome::Kind;

ChosenSubjects chosen(const std::vector<std::string>& specs, bool isolate) {
  return choose_subjects(specs, {isolate, built_worker()});
}

TEST(IsolatedSubject, ComputesTheBitsThatItComputesAtHome) {
  const ChosenSubjects there = chosen({"plain", "tiled"}, true);
  const ChosenSubjects here = chosen({"plain", "tiled"}, false);
  Index compared = 0;
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (std::uint64_t index = 0; index < 12; ++index) {
      const Case c = draw(1, index, pass);
      const Inputs inputs = materialise(c);
      for (std::size_t n = 0; n < here.subjects.size(); ++n) {
        const RunSettings settings{n == 0 ? Unit::fp32_seq : Unit::h100, index};
        if (here.subjects[n]->unsupported(c.problem, settings.unit)) continue;
        const Execution one = execute(*here.subjects[n], c.problem, inputs, settings);
        const Execution other = execute(*there.subjects[n], c.problem, inputs, settings);
        ASSERT_EQ(other.outcome.kind, Kind::ran) << other.outcome.detail << to_string(c);
        EXPECT_EQ(one.outputs, other.outputs) << to_string(c);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 30);
}

TEST(IsolatedSubject, TakesTheConfigurationThatItIsTold) {
  const ChosenSubjects there = chosen({"plain"}, true), here = chosen({"plain"}, false);
  const Case c = draw(1, 1, Pass::bwd);
  const Inputs inputs = materialise(c);
  const auto offered = here.subjects[0]->configurations(c.problem, Unit::fp32_seq);
  ASSERT_FALSE(offered.empty());
  EXPECT_EQ(there.subjects[0]->configurations(c.problem, Unit::fp32_seq), offered);
  for (const std::string& configuration : offered) {
    RunSettings settings;
    settings.configuration = configuration;
    const Execution one = execute(*here.subjects[0], c.problem, inputs, settings);
    const Execution other = execute(*there.subjects[0], c.problem, inputs, settings);
    ASSERT_EQ(other.outcome.kind, Kind::ran) << other.outcome.detail;
    EXPECT_EQ(one.outputs, other.outputs) << configuration;
    EXPECT_EQ(there.subjects[0]->numerics_in(configuration, c.problem, Unit::fp32_seq),
              here.subjects[0]->numerics_in(configuration, c.problem, Unit::fp32_seq));
  }
}

TEST(IsolatedSubject, DeclaresWhatItDeclaresAtHome) {
  const ChosenSubjects there = chosen({"plain"}, true), here = chosen({"plain"}, false);
  const Problem p;
  EXPECT_EQ(there.subjects[0]->name(), "plain");
  EXPECT_EQ(there.subjects[0]->semantics(), here.subjects[0]->semantics());
  EXPECT_EQ(there.subjects[0]->numerics(p, Unit::fp32_seq),
            here.subjects[0]->numerics(p, Unit::fp32_seq));
  EXPECT_TRUE(there.subjects[0]->unsupported(p, Unit::h100).has_value());
}

TEST(IsolatedSubject, SaysInItsOutcomeThatItBrokeRules) {
  const ChosenSubjects there = chosen({"machine-fault/read-past-tail"}, true);
  Problem p;
  p.n_q = p.n_k = 19;
  p.d_qk = p.d_v = 16;
  const RunOutcome outcome = execute(*there.subjects[0], p, zero_inputs(p), {Unit::h100}).outcome;
  EXPECT_EQ(outcome.kind, Kind::broke_rules);
  EXPECT_NE(outcome.detail.find("tiled_forward.hpp:"), std::string::npos) << outcome.detail;
}

}  // namespace
}  // namespace attest::isolated_subject_test
