// Goal: the run that everybody makes first judges enough of everything, and accepts every healthy
// subject.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/campaign/campaign.hpp"
#include "harness/report/run_table.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {
namespace {

constexpr Index kLeastCases = 180;      // fresh ones, in each format
constexpr Index kLeastThreeTiles = 60;  // of those, with three or more key tiles
constexpr Index kLeastOfFamily = 12;    // in each format

TEST(SmokeTier, JudgesEnoughOfEverythingAndAcceptsTheHealthy) {
  CampaignPlan plan;
  plan.tier = tier_named("smoke");
  plan.cases = plan.tier.cases;
  plan.subjects = resolve_subjects({});
  plan.units = emulated_units();
  const Campaign campaign = run_campaign(plan);
  const Tally& tally = campaign.tally;
  SCOPED_TRACE(campaign_report(campaign, {}));

  for (const Format format : {Format::f16, Format::bf16}) {
    const auto slot = static_cast<std::size_t>(format);
    EXPECT_GE(tally.fresh[slot], kLeastCases);
    EXPECT_GE(tally.fresh_three_tiles[slot], kLeastThreeTiles);
    for (const FamilyTally& family : tally.families) {
      EXPECT_GE(family.cases[slot], kLeastOfFamily) << family.name;
    }
  }
  for (const auto& [shape, count] : tally.shape_classes) EXPECT_GT(count, 0) << shape;
  EXPECT_TRUE(campaign.empty.empty());

  EXPECT_EQ(tally.subjects.size(), 2 * plan.subjects.size());  // each in both formats
  for (const auto& [key, subject] : tally.subjects) {
    EXPECT_EQ(subject.cases, tally.fresh[static_cast<std::size_t>(key.format)]) << key.subject;
    for (const std::string& law : tally.laws) {
      ASSERT_TRUE(subject.laws.contains(law)) << key.subject << " was never asked for " << law;
      EXPECT_GT(subject.laws.at(law).accepted, 0) << key.subject << " " << law;
      EXPECT_EQ(subject.laws.at(law).rejected, 0) << key.subject << " " << law;
      EXPECT_EQ(subject.laws.at(law).undecided, 0) << key.subject << " " << law;
    }
  }
  EXPECT_TRUE(campaign.too_unbounded.empty());
  EXPECT_EQ(exit_status(campaign), 0);
}

}  // namespace
}  // namespace attest
