// Goal: features count as met where a case was drawn and at least one subject took it, and the
// features that a subject lacks are declined as unsupported, not left out.
#include "harness/campaign/covering_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/covering/cells.hpp"
#include "properties/covering/plan.hpp"
#include "properties/draw.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::covering_count_test {
namespace {

const Subject& named(const char* name) {
  return *resolve_subjects(std::vector<std::string>{name}).front();
}

TEST(CoveringCount, IsOfThePlannedCasesOfEachPass) {
  CampaignPlan plan = small_plan(3, {&plain()});
  plan.passes = {Pass::fwd, Pass::bwd};
  const auto counts = covering_counts(run_campaign(plan).tally, 2);
  ASSERT_EQ(counts.size(), 6U);
  for (std::size_t n = 0; n < counts.size(); ++n) {
    const CoveringCount& count = counts[n];
    EXPECT_EQ(count.pass, n < 3 ? Pass::fwd : Pass::bwd);
    EXPECT_EQ(count.strength, static_cast<int>(2 + n % 3));
    Cells cells(count.pass, count.strength);
    const auto wishes = covering_plan(plan.seed, count.pass, 2, 3);
    for (std::size_t index = 0; index < 3; ++index) {
      cells.meet(features_of(draw(plan.seed, index, count.pass, wishes[index])));
    }
    EXPECT_EQ(count.ran, cells.met());
    EXPECT_EQ(count.drawn, cells.met());
    EXPECT_EQ(count.cells, cells.total());
    EXPECT_EQ(count.excluded, cells.excluded());
    const Index missing = count.strength == 2 ? cells.total() - cells.met() : 0;
    EXPECT_EQ(static_cast<Index>(count.never.size()), missing);
  }
}

TEST(CoveringCount, LeavesOutWhatEverySubjectDeclined) {
  const Subject& split = named("split");
  CampaignPlan plan = small_plan(2, {&split});
  plan.passes = {Pass::bwd};
  const auto alone = covering_counts(run_campaign(plan).tally, 2);
  ASSERT_EQ(alone.size(), 3U);
  EXPECT_GT(alone[0].drawn, 0);
  EXPECT_EQ(alone[0].ran, 0);
  plan.subjects = {&split, &plain()};
  const auto together = covering_counts(run_campaign(plan).tally, 2);
  EXPECT_EQ(together[0].ran, alone[0].drawn);
}

// The kernel over parts of the keys has no backward, and says so.
TEST(CoveringCount, FeaturesThatASubjectLacksAreUnsupported) {
  Problem p;
  p.n_k = 300;
  p.d_qk = p.d_v = 16;
  const Subject& split = named("split");
  const auto parts = run_features_of(split, p, Unit::fp32_seq);
  EXPECT_NE(std::ranges::find(parts, "parts=more"), parts.end());
  EXPECT_FALSE(split.unsupported(p, Unit::fp32_seq));
  p.pass = Pass::bwd;
  EXPECT_TRUE(split.unsupported(p, Unit::fp32_seq));
}

TEST(CoveringCount, SeesWhatRunsAddToCases) {
  const Campaign campaign = run_campaign(small_plan(4, {&named("tiled")}));
  const auto counts = campaign.tally.run_pairs.at(Pass::fwd).counts();
  EXPECT_FALSE(counts.empty());
  for (const auto& [run, count] : counts) EXPECT_GE(count.met, kParameters) << run;
}

TEST(CoveringCount, HasAReasonForEachConstraint) {
  for (const auto& [name, reason] : constraints_in_words()) {
    EXPECT_FALSE(name.empty());
    EXPECT_FALSE(reason.empty()) << name;
  }
}

}  // namespace
}  // namespace attest::covering_count_test
