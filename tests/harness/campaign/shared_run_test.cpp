// Goal: what is judged once and counted for two subjects is one run, to the last bit; and whoever
// is checked alone is run.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/campaign/check_case.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/draw.hpp"

namespace attest::shared_run_test {
namespace {

const Subject& named(const std::string& name) {
  return *resolve_subjects(std::vector<std::string>{name}).front();
}

const Subject& dispatched() { return named("dispatched"); }

TEST(SharedRun, IsThatOfTheNamedSubjectToTheLastBit) {
  std::set<std::string> met;
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (std::uint64_t index = 0; index < (pass == Pass::fwd ? 84 : 20); ++index) {
      const Case c = draw(3, index, pass);
      const Unit unit = kUnits[index % (std::size(kUnits) - 1)];
      const auto name = shared_run(dispatched(), c.problem, unit);
      if (dispatched().unsupported(c.problem, unit)) continue;
      ASSERT_TRUE(name.has_value()) << to_string(c);
      met.insert(*name);
      const Subject& own = named(*name);
      ASSERT_FALSE(own.unsupported(c.problem, unit).has_value()) << to_string(c);
      EXPECT_EQ(dispatched().numerics(c.problem, unit), own.numerics(c.problem, unit));
      EXPECT_EQ(dispatched().semantics(), own.semantics());
      const Inputs inputs = materialise(c);
      const RunSettings settings{unit, index};
      const Execution a = execute(dispatched(), c.problem, inputs, settings);
      const Execution z = execute(own, c.problem, inputs, settings);
      ASSERT_EQ(a.outcome.kind, RunOutcome::Kind::ran) << a.outcome.detail;
      EXPECT_EQ(a.outputs, z.outputs) << to_string(c);
    }
  }
  EXPECT_EQ(met, (std::set<std::string>{"decode", "materialising", "split", "tiled"}));
}

TEST(SharedRun, IsNobodyElses) {
  const Case c = draw(3, 0, Pass::bwd);
  EXPECT_TRUE(shared_run(dispatched(), c.problem, Unit::h100).has_value());
  EXPECT_FALSE(shared_run(dispatched(), c.problem, Unit::device).has_value());
  for (const Subject* subject : resolve_subjects({})) {
    if (subject == &dispatched()) continue;
    EXPECT_FALSE(shared_run(*subject, c.problem, Unit::h100).has_value()) << subject->name();
  }
  Problem wide = c.problem;
  wide.in = Format::f32;
  EXPECT_FALSE(shared_run(dispatched(), wide, Unit::h100).has_value());
}

TEST(SharedRun, GivesBothSubjectsTheVerdictsOfOne) {
  const Case c = draw(3, 2, Pass::bwd);
  const Inputs inputs = materialise(c);
  const Subject* const together[] = {&dispatched(), &named("tiled")};
  const Subject* const alone[] = {&dispatched()};
  const RunChoice choice{emulated_units(), 3, 7};
  const CaseResult both = check_case(c, inputs, together, every_law(), choice);
  const CaseResult one = check_case(c, inputs, alone, every_law(), choice);
  ASSERT_EQ(both.subjects[0].shared, "tiled");
  EXPECT_FALSE(both.subjects[1].shared.has_value());
  EXPECT_FALSE(one.subjects[0].shared.has_value());
  EXPECT_EQ(both.subjects[0].subject, &dispatched());
  for (const SubjectResult* other : {&both.subjects[1], &one.subjects[0]}) {
    EXPECT_EQ(both.subjects[0].unit, other->unit);
    EXPECT_EQ(both.subjects[0].key_tiles, other->key_tiles);
    ASSERT_EQ(both.subjects[0].laws.size(), other->laws.size());
    ASSERT_FALSE(other->laws.empty());
    for (std::size_t n = 0; n < other->laws.size(); ++n) {
      EXPECT_EQ(both.subjects[0].laws[n].law, other->laws[n].law);
      EXPECT_EQ(both.subjects[0].laws[n].outcome.verdict, other->laws[n].outcome.verdict);
    }
  }
}

// The case goes to `tiled`, which is not there.
TEST(SharedRun, IsOfNobodyWhoIsNotChecked) {
  const Case c = draw(3, 2, Pass::bwd);
  const Subject* const subjects[] = {&dispatched(), &named("plain")};
  const CaseResult result =
      check_case(c, materialise(c), subjects, every_law(), {emulated_units(), 0});
  EXPECT_FALSE(result.subjects[0].shared.has_value());
  EXPECT_FALSE(result.subjects[0].laws.empty());
}

}  // namespace
}  // namespace attest::shared_run_test
