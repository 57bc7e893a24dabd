// Goal: a campaign is known by everything that its results depend on, and whoever mistakes one for
// another is told in what they differ.
#include "harness/campaign/conditions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "harness/campaign/goldens.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::conditions_test {
namespace {

TEST(Conditions, AreTheSameForTheSamePlan) {
  const CampaignPlan plan = small_plan(4, {&plain()});
  EXPECT_EQ(conditions_of(plan), conditions_of(plan));
  EXPECT_EQ(difference_between(conditions_of(plan), conditions_of(plan)), "");
}

TEST(Conditions, DoNotSpeakOfWhatChangesNoResult) {
  CampaignPlan plan = small_plan(4, {&plain()});
  const Conditions before = conditions_of(plan);
  plan.threads = 7;
  plan.budget = std::chrono::seconds{9};
  plan.on_progress = [](const Progress&) {};
  plan.journal_folder = "somewhere";
  EXPECT_EQ(difference_between(before, conditions_of(plan)), "");
}

TEST(Conditions, NameWhatAnotherPlanHasOtherwise) {
  const StandIn other({.name = "other"});
  const struct {
    std::string name;
    std::function<void(CampaignPlan&)> change;
  } rows[] = {
      {"tier", [](CampaignPlan& p) { p.tier = tier_named("soak"); }},
      {"fresh cases", [](CampaignPlan& p) { p.cases = 5; }},
      {"fresh cases", [](CampaignPlan& p) { p.passes = {Pass::bwd}; }},
      {"seed", [](CampaignPlan& p) { p.seed = 2; }},
      {"subjects", [&](CampaignPlan& p) { p.subjects = {&other}; }},
      {"units", [](CampaignPlan& p) { p.units = {Unit::h100}; }},
      {"filter", [](CampaignPlan& p) { p.filter = Filter("nk>=3"); }},
      {"turns", [](CampaignPlan& p) { p.variant_turns = 4; }},
      {"turns", [](CampaignPlan& p) { p.rerun_turns = 5; }},
      {"fresh cases",
       [](CampaignPlan& p) {
         p.tier.until_budget = true;
         p.cases.reset();
         p.budget = std::chrono::seconds{9};
       }},
      {"shrink time", [](CampaignPlan& p) { p.shrink_time = std::chrono::seconds{1}; }},
      {"goldens", [](CampaignPlan& p) { p.golden_folder = golden_folder(); }},
      {"known counterexamples", [](CampaignPlan& p) { p.known_list = known_counterexamples(); }},
      {"isolate",
       [](CampaignPlan& p) {
         p.conditions = {{"isolate", "yes"}};
       }},
  };
  const CampaignPlan plan = small_plan(4, {&plain()});
  for (const auto& [name, change] : rows) {
    CampaignPlan changed = plan;
    change(changed);
    const std::string told = difference_between(conditions_of(plan), conditions_of(changed));
    EXPECT_TRUE(told.starts_with(name + " was '")) << name << ": " << told;
    EXPECT_NE(difference_between(conditions_of(changed), conditions_of(plan)), "") << name;
  }
}

TEST(Conditions, HoldTheProgramsOwnDigest) {
  for (const Condition& one : conditions_of(small_plan(1, {&plain()}))) {
    EXPECT_EQ(one.name == "program", one.value.size() == 64) << one.name;
  }
  EXPECT_EQ(difference_between({{"program", "a"}}, {{"program", "b"}}),
            "program was 'a' and is 'b'");
  EXPECT_EQ(difference_between({{"x", "a"}}, {}), "x was 'a' and is 'nothing'");
}

}  // namespace
}  // namespace attest::conditions_test
