// Goal: on the same outputs rules of others and laws are compared fairly: healthy runs, canaries
// against their own controls, and values of each kind apart.
#include "harness/studies/rules_in_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

const RulesInUse& small_study() {
  static const RulesInUse study = compare_rules({"F0", "F7", "F11"}, 1);
  return study;
}

const RuleCounts& rule_named(std::string_view name) {
  return *std::ranges::find(small_study().rules, name, &RuleCounts::name);
}

TEST(RulesInUse, RunEveryForwardCanaryAndHealthyKernel) {
  EXPECT_EQ(small_study().cases, 6U);
  EXPECT_EQ(small_study().gaussian_cases, 2U);
  EXPECT_EQ(small_study().healthy_runs, 6 * small_study().healthy);
  EXPECT_GE(small_study().canaries, 40U);
}

TEST(RulesInUse, FindNoFalseAlarmOfTheLaws) {
  for (const std::string_view name : {"attest", "attest, one run"}) {
    EXPECT_EQ(rule_named(name).false_alarms, 0U) << name;
  }
}

TEST(RulesInUse, CatchWithAllLawsWhatOneRunShowsAndMore) {
  const auto& one_run = rule_named("attest, one run").caught;
  const auto& all = rule_named("attest").caught;
  EXPECT_GE(one_run.size(), 10U);
  EXPECT_GT(all.size(), one_run.size());
  EXPECT_TRUE(std::ranges::includes(all, one_run));
}

// Offsets of 1e2 to 1e12 leave nothing of 16-bit scores.
TEST(RulesInUse, CountHealthyRunsThatAConstantRejects) {
  EXPECT_GT(rule_named("CUTLASS 77").false_alarms, 0U);
  EXPECT_EQ(rule_named("CUTLASS 77").false_alarms_on_gaussian, 0U);
}

// It is as healthy as its control unless a NaN is among the values.
TEST(RulesInUse, CatchNoCanaryThatDidNotErr) {
  for (const RuleCounts& rule : small_study().rules) {
    EXPECT_FALSE(rule.caught.contains("canary/m01-nan-swallowed")) << rule.name;
  }
}

TEST(RulesInUse, AreTold) {
  const std::string page = rules_page(small_study());
  EXPECT_NE(page.find("| attest | no law rejects |"), std::string::npos) << page;
  EXPECT_NE(rules_csv(small_study()).find("\"attest\",canary/"), std::string::npos);
}

}  // namespace
}  // namespace attest
