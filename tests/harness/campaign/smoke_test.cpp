// Goal: the run that everybody makes first judges enough of everything, and accepts every healthy
// subject.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "harness/campaign/campaign.hpp"
#include "harness/report/run_table.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {
namespace {

constexpr Index kLeastCases = 180;      // fresh ones, in each format
constexpr Index kLeastThreeTiles = 60;  // of those, with three or more tiles of 16 keys
constexpr Index kLeastOfFamily = 12;    // in each format
// Of each subject on each of its units, both formats together.
constexpr Index kLeastOnUnit = 30;
constexpr Index kLeastThreeTilesOnUnit = 10;  // where a row sees three or more of its own tiles

void expect_enough_fresh_cases(const Tally& tally) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const auto slot = static_cast<std::size_t>(format);
    EXPECT_GE(tally.fresh[slot], kLeastCases);
    EXPECT_GE(tally.fresh_three_tiles[slot], kLeastThreeTiles);
    for (const FamilyTally& family : tally.families) {
      EXPECT_GE(family.cases[slot], kLeastOfFamily) << family.name;
    }
  }
  for (const auto& [shape, count] : tally.shape_classes) EXPECT_GT(count, 0) << shape;
}

// The subject's rows added up, in all or by unit.
SubjectTally added_up(const Tally& tally, const Subject& subject, std::optional<Unit> unit) {
  SubjectTally sum;
  for (const auto& [key, row] : tally.subjects) {
    if (key.subject != subject.name() || (unit && key.unit != *unit)) continue;
    sum.cases += row.cases;
    sum.three_tiles += row.three_tiles;
    for (const auto& [law, counts] : row.laws) {
      sum.laws[law].accepted += counts.accepted;
      sum.laws[law].rejected += counts.rejected;
      sum.laws[law].undecided += counts.undecided;
    }
  }
  return sum;
}

// A subject may see all keys of a row at once.
bool has_tiles(const Subject& subject, Unit unit) {
  Problem long_row;
  long_row.n_k = 1000;
  return subject.numerics(long_row, unit).tile_k < long_row.n_k;
}

void expect_healthy(const Tally& tally, const Subject& subject) {
  SCOPED_TRACE(subject.name());
  const SubjectTally all = added_up(tally, subject, {});
  for (const std::string& law : tally.laws) {
    ASSERT_TRUE(all.laws.contains(law)) << "was never asked for " << law;
    EXPECT_GT(all.laws.at(law).accepted, 0) << law;
    EXPECT_EQ(all.laws.at(law).rejected, 0) << law;
    EXPECT_EQ(all.laws.at(law).undecided, 0) << law;
  }
  for (const Unit unit : emulated_units()) {
    if (subject.unsupported({}, unit)) continue;
    const SubjectTally on_unit = added_up(tally, subject, unit);
    EXPECT_GE(on_unit.cases, kLeastOnUnit) << name_of(unit);
    if (has_tiles(subject, unit)) {
      EXPECT_GE(on_unit.three_tiles, kLeastThreeTilesOnUnit) << name_of(unit);
    }
  }
}

TEST(SmokeTier, JudgesEnoughOfEverythingAndAcceptsTheHealthy) {
  CampaignPlan plan;
  plan.tier = tier_named("smoke");
  plan.cases = plan.tier.cases;
  plan.subjects = resolve_subjects({});
  plan.units = emulated_units();
  const Campaign campaign = run_campaign(plan);
  const Tally& tally = campaign.tally;
  SCOPED_TRACE(campaign_report(campaign, {}));

  expect_enough_fresh_cases(tally);
  EXPECT_TRUE(campaign.empty.empty());
  for (const Subject* subject : plan.subjects) expect_healthy(tally, *subject);
  EXPECT_TRUE(tally.unsupported.empty());
  EXPECT_TRUE(campaign.too_unbounded.empty());
  EXPECT_EQ(exit_status(campaign), 0);
}

}  // namespace
}  // namespace attest
