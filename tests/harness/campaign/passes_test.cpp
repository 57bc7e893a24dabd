// Goal: cases of one pass are the same whatever runs beside them, and variants that take turns
// still meet every family.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "properties/counterexamples.hpp"
#include "properties/covering/plan.hpp"
#include "properties/draw.hpp"
#include "properties/family.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::passes_test {
namespace {

TEST(Passes, RunOneAfterTheOtherEachWithItsOwnCases) {
  CampaignPlan plan = small_plan(6, {&plain()});
  plan.passes = {Pass::fwd, Pass::bwd};
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(campaign.planned, 12);
  EXPECT_EQ(campaign.tally.cases(), 12);
  EXPECT_EQ(exit_status(campaign), 0);
  Index forward = 0;
  Index backward = 0;
  for (const auto& [key, row] : campaign.tally.subjects) {
    (key.pass == Pass::fwd ? forward : backward) += row.cases;
    EXPECT_EQ(row.laws.contains("gradient_accuracy"), key.pass == Pass::bwd);
    EXPECT_TRUE(row.laws.contains("accuracy"));
  }
  EXPECT_EQ(forward, 6);
  EXPECT_EQ(backward, 6);
}

// Forward cases are the same whatever follows them, and backward case k is that of the plan.
TEST(Passes, DoNotChangeEachOthersIndices) {
  const StandIn wrong({.name = "wrong", .spoil_gradients = [](const Problem& p, const auto& out) {
                         if (p.n_q > 0 && p.n_k > 0 && p.live_queries(0) > 0)
                           move_element(out.dq, 0, 0, 0, 0);
                       }});
  CampaignPlan plan = small_plan(6, {&wrong});
  plan.passes = {Pass::fwd, Pass::bwd};
  plan.filter = Filter("law=gradient_accuracy");
  plan.shrink_time = std::chrono::seconds(0);
  const Campaign campaign = run_campaign(plan);
  ASSERT_EQ(campaign.failures.size(), 1U);
  std::uint64_t index = 0;
  const auto wishes = covering_plan(plan.seed, Pass::bwd, 2, 6);
  const auto planned = [&] { return draw(plan.seed, index, Pass::bwd, wishes[index]); };
  while (index < 6 && planned() != campaign.failures[0].original) ++index;
  EXPECT_LT(index, 6U);
  EXPECT_EQ(campaign.failures[0].schedule_seed, 0U);
}

TEST(Passes, LeaveOutStoredCasesOfTheOthers) {
  const OwnFolder folder;
  const Case forward = draw(3, 0);
  const Case backward = draw(3, 0, Pass::bwd);
  add_counterexample(folder / "counterexamples.txt", {forward, "plain", "accuracy"});
  add_counterexample(folder / "counterexamples.txt", {backward, "plain", "stage_accuracy"});
  CampaignPlan plan = small_plan(0, {&plain()});
  plan.state_folder = folder.path();
  const auto stored = [&](std::vector<Pass> passes) {
    plan.passes = std::move(passes);
    return run_campaign(plan).tally.counterexamples;
  };
  EXPECT_EQ(stored({Pass::fwd}), 1);
  EXPECT_EQ(stored({Pass::bwd}), 1);
  EXPECT_EQ(stored({Pass::fwd, Pass::bwd}), 2);
}

TEST(Variants, TakeTurnsAndMeetEveryFamilyInEachFormat) {
  std::map<std::string, std::set<std::uint64_t>> seen;  // indices of cases; the schedule tells them
  const auto noting = [&](const std::string& name) {
    return StandInParts{.name = name, .when = [&seen, name](const RunSettings& settings) {
                          seen[name].insert(settings.schedule_seed);
                          return false;
                        }};
  };
  const StandIn main(noting("main"));
  const StandIn one(noting("variant/one"));
  const StandIn two(noting("variant/two"));
  const std::uint64_t round = 2 * families_of(Pass::fwd).size();
  CampaignPlan plan = small_plan(static_cast<Index>(2 * round), {&main, &one, &two});
  plan.variant_turns = 2;
  plan.threads = 1;
  plan.filter = Filter("law=dead_rows");
  (void)run_campaign(plan);
  EXPECT_EQ(seen["main"].size(), 2 * round);
  for (const char* variant : {"variant/one", "variant/two"}) {
    std::set<std::uint64_t> met;  // families and formats
    for (const std::uint64_t index : seen[variant]) met.insert(index % round);
    EXPECT_EQ(seen[variant].size(), round) << variant;
    EXPECT_EQ(met.size(), round) << variant;
  }
}

}  // namespace
}  // namespace attest::passes_test
