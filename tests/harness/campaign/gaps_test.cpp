// Goal: what a campaign did not reach, or could not judge, is told, and only where it should have.
#include "harness/campaign/gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/harness/campaign/small_plan.hpp"

namespace attest::gaps_test {
namespace {

// Of a whole tier of the forward pass, so that everything has to be reached.
CampaignPlan whole_plan() {
  CampaignPlan plan = small_plan(0, {&plain()});
  plan.cases.reset();
  return plan;
}

Campaign reached_by_all() {
  Campaign campaign;
  for (FamilyTally& family : campaign.tally.families) family.cases.fill(1);
  for (auto& [name, count] : campaign.tally.shape_classes) count = 1;
  return campaign;
}

TEST(Gaps, AreNoneWhereEverythingWasReached) {
  Campaign campaign = reached_by_all();
  note_gaps(whole_plan(), campaign);
  EXPECT_TRUE(campaign.empty.empty());
  EXPECT_TRUE(campaign.idle_units.empty());
  EXPECT_TRUE(campaign.too_unbounded.empty());
}

TEST(Gaps, NameAFamilyThatNoCaseReachedUnlessTheRunWasNoWholeOne) {
  const auto empty_in = [](const CampaignPlan& plan, bool unfinished) {
    Campaign campaign = reached_by_all();
    campaign.tally.family("F7").cases.fill(0);
    campaign.unfinished = unfinished;
    note_gaps(plan, campaign);
    return campaign.empty;
  };
  EXPECT_EQ(empty_in(whole_plan(), false), std::vector<std::string>{"family F7"});
  EXPECT_TRUE(empty_in(whole_plan(), true).empty());
  EXPECT_TRUE(empty_in(small_plan(3, {&plain()}), false).empty());
  CampaignPlan filtered = whole_plan();
  filtered.filter = Filter("family=F1");
  EXPECT_TRUE(empty_in(filtered, false).empty());
}

TEST(Gaps, NameUnitsThatWereAskedForAndRanNothing) {
  CampaignPlan plan = whole_plan();
  plan.units = {Unit::h100, Unit::fp32_seq};
  Campaign campaign = reached_by_all();
  campaign.tally.subjects[{"plain", Format::f16, Unit::fp32_seq}].cases = 1;
  note_gaps(plan, campaign);
  EXPECT_EQ(campaign.idle_units, std::vector<Unit>{Unit::h100});
}

TEST(Gaps, NameASubjectOnceWithMoreThanOnePercentUnbounded) {
  Campaign campaign = reached_by_all();
  campaign.tally.family("F3").elements["plain"] = {1000, 11};
  campaign.tally.family("F3").gradients["plain"] = {1000, 500};
  campaign.tally.family("F3").elements["other"] = {1000, 10};
  campaign.tally.family("F11").elements["plain"] = {1000, 900};
  note_gaps(whole_plan(), campaign);
  EXPECT_EQ(campaign.too_unbounded, (std::vector<Unjudged>{{"F3", "plain"}}));
}

}  // namespace
}  // namespace attest::gaps_test
