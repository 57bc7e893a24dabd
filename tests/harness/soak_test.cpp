// Goal: over a thousand drawn cases no healthy subject is rejected, and budgets are not so wide
// that this means nothing: in each family some error comes near enough to its budget.
//
// ATTEST_SOAK_SEED chooses other cases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "harness/campaign/campaign.hpp"
#include "harness/report/run_table.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/family.hpp"

namespace attest::soak_test {
namespace {

std::uint64_t chosen_seed() {
  const char* text = std::getenv("ATTEST_SOAK_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

Campaign soak(const std::vector<std::string>& specs, Pass pass) {
  CampaignPlan plan;
  plan.tier = tier_named("soak");
  plan.passes = {pass};
  plan.seed = chosen_seed();
  plan.subjects = resolve_subjects(specs);
  plan.units = emulated_units();
  return run_campaign(plan);
}

Index elements_of(const Tally& tally) {
  Index elements = 0;
  for (const auto& [key, subject] : tally.subjects) elements += subject.elements;
  return elements;
}

void print(const Campaign& campaign) {
  std::cout << "seed " << chosen_seed() << ", " << campaign.tally.cases() << " cases, "
            << elements_of(campaign.tally) << " elements judged\n"
            << family_table(campaign.tally) << "\n";
}

void expect_acceptance(const Campaign& campaign) {
  SCOPED_TRACE(campaign_report(campaign, {}));
  EXPECT_GE(campaign.tally.cases(), 500);
  EXPECT_EQ(campaign.rejected_cases, 0);
  EXPECT_EQ(campaign.undecided_cases, 0);
  EXPECT_EQ(exit_status(campaign), 0);
}

// One subject at a time: pooled, a budget that is too wide would hide behind the others.
void expect_near_its_budget(const std::string& subject) {
  SCOPED_TRACE(subject);
  const Campaign campaign = soak({subject}, Pass::fwd);
  print(campaign);
  expect_acceptance(campaign);
  for (const FamilyTally& family : campaign.tally.families) {
    const Family& floor = family_named(family.name);
    if (floor.backward_only) continue;
    EXPECT_GE(family.worst_o, floor.least_o_ratio) << family.name;
    EXPECT_GE(family.worst_lse, floor.least_lse_ratio) << family.name;
    EXPECT_LE(family.worst_o, 1) << family.name;
    EXPECT_LE(family.worst_lse, 1) << family.name;
  }
}

// The same of gradients, in the view that forgives the forward its errors.
void expect_gradients_near_their_budgets(const std::string& subject) {
  SCOPED_TRACE(subject);
  const Campaign campaign = soak({subject}, Pass::bwd);
  print(campaign);
  expect_acceptance(campaign);
  const bool judged_beside_nans = subject == "plain";  // the others declare nonfinite=propagate
  for (const FamilyTally& family : campaign.tally.families) {
    if (family.name == "F23" && !judged_beside_nans) continue;
    const Family& floor = family_named(family.name);
    EXPECT_GE(family.worst_stages[0], floor.least_dq_ratio) << family.name;
    EXPECT_GE(family.worst_stages[1], floor.least_dk_ratio) << family.name;
    EXPECT_GE(family.worst_stages[2], floor.least_dv_ratio) << family.name;
    for (const double ratio : family.worst_stages) EXPECT_LE(ratio, 1) << family.name;
    for (const double ratio : family.worst_gradients) EXPECT_LE(ratio, 1) << family.name;
  }
}

TEST(Soak, GradientsOfPlainComeNearTheirBudgetsInEveryFamily) {
  expect_gradients_near_their_budgets("plain");
}
TEST(Soak, SoDoThoseOfTiled) { expect_gradients_near_their_budgets("tiled"); }

TEST(Soak, PlainIsAcceptedAndComesNearItsBudgetInEveryFamily) { expect_near_its_budget("plain"); }
TEST(Soak, SoIsTiled) { expect_near_its_budget("tiled"); }
TEST(Soak, SoIsMaterialising) { expect_near_its_budget("materialising"); }

TEST(Soak, EveryBundledSubjectIsAccepted) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const Campaign campaign = soak({"bundled"}, pass);
    print(campaign);
    expect_acceptance(campaign);
  }
}

// A thousand cases in both formats on each unit; units take turns elsewhere.
TEST(Soak, OnEveryUnitWhatAHealthySubjectComputesIsInItsReplay) {
  for (const Unit unit : emulated_units()) {
    SCOPED_TRACE(name_of(unit));
    CampaignPlan plan;
    plan.tier = tier_named("soak");
    plan.cases = 1000;
    plan.seed = chosen_seed();
    plan.subjects = resolve_subjects(std::vector<std::string>{"bundled"});
    plan.units = {unit};
    plan.filter = Filter("law=replay");
    const Campaign campaign = run_campaign(plan);
    EXPECT_EQ(campaign.rejected_cases, 0) << campaign_report(campaign, {});
    ReplayCounts all;
    for (const auto& [key, subject] : campaign.tally.subjects) {
      all.judged += subject.replay[0].judged;
      all.left += subject.replay[0].left;
      all.single += subject.replay[0].single;
    }
    EXPECT_GT(all.judged, 10 * all.left);
    std::cout << name_of(unit) << ": " << campaign.tally.cases() << " cases, O replayed "
              << all.judged << " times, " << all.left << " left, one value "
              << 100 * all.single_share() << " %\n";
  }
}

}  // namespace
}  // namespace attest::soak_test
