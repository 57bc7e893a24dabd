// Goal: what failed once is written down, replayed before anything new, and never costs a run its
// report.
#include <gtest/gtest.h>

#include <fstream>

#include "fixtures/data_file.hpp"
#include "properties/counterexamples.hpp"
#include "properties/draw.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::known_failures_test {
namespace {

constexpr const char* kCausal =
    "attest1:b=1;hq=1;hk=1;nq=40;nk=80;dqk=16;dv=16;in=f16;out=f16;scale=0x1p-2;left=inf;right=0;"
    "align=br;pass=fwd;family=F0;seed=3";

// Of a campaign that left a counterexample behind, and another that meets it.
class KnownFailures : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path list() const { return folder_ / "counterexamples.txt"; }

  Campaign run(Index cases, const Subject& subject) {
    CampaignPlan plan = small_plan(cases, {&subject});
    plan.state_folder = folder_.path();
    plan.filter = filter_;
    return run_campaign(plan);
  }

  OwnFolder folder_;
  Filter filter_{"law=accuracy"};
  StandIn wrong_{{.name = "wrong"}, kernel_of_canary("canary/m11-top-left-causal")};
};

TEST_F(KnownFailures, AreWrittenDownAndReplayedBeforeAnythingNew) {
  const Campaign first = run(26, wrong_);
  ASSERT_EQ(first.failures.size(), 1U);
  EXPECT_EQ(first.tally.counterexamples, 0);
  const auto known = read_counterexamples(list());
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].subject, "wrong");
  EXPECT_EQ(known[0].law, "accuracy");
  EXPECT_EQ(to_string(known[0].c), first.failures[0].smallest_text);

  const Campaign second = run(26, wrong_);
  EXPECT_EQ(second.tally.counterexamples, 1);
  ASSERT_EQ(second.failures.size(), 1U);
  EXPECT_EQ(second.failures[0].original, known[0].c);  // it came first
  EXPECT_EQ(read_counterexamples(list()), known);      // and is not written twice

  const Campaign healthy = run(0, plain());
  EXPECT_EQ(healthy.tally.counterexamples, 1);
  EXPECT_EQ(exit_status(healthy), 0);
}

TEST_F(KnownFailures, OfCanariesAreNoNews) {
  const auto canary = kernel_of_canary("canary/m11-top-left-causal");
  const Campaign campaign = run(26, *canary);
  EXPECT_EQ(campaign.failures.size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(list()));
}

TEST_F(KnownFailures, WithValuesInAFileAreReplayedFromIt) {
  const Case drawn = parse_case(kCausal);
  const std::string digest = write_case_data(folder_.path(), drawn.problem, materialise(drawn));
  add_counterexample(list(), {{drawn.problem, FileData{digest}}, "wrong", "accuracy"});
  const Campaign campaign = run(0, wrong_);
  EXPECT_EQ(campaign.tally.counterexamples, 1);
  ASSERT_EQ(campaign.failures.size(), 1U);
  EXPECT_LT(campaign.failures[0].shrunk.smallest.problem.n_k, 80);  // from the file's values
  EXPECT_EQ(exit_status(run(0, plain())), 0);
}

TEST_F(KnownFailures, OfASecondListAreReplayedButNotAddedTo) {
  CampaignPlan plan = small_plan(0, {&wrong_});
  plan.known_list = folder_ / "stored.txt";
  add_counterexample(plan.known_list, {parse_case(kCausal), "plain", "accuracy"});
  plan.state_folder = folder_ / "state";
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(campaign.tally.counterexamples, 1);
  EXPECT_EQ(exit_status(campaign), 1);
  EXPECT_EQ(read_counterexamples(plan.known_list).size(), 1U);
  EXPECT_FALSE(read_counterexamples(plan.state_folder / "counterexamples.txt").empty());
}

TEST_F(KnownFailures, ThatCannotBeWrittenDownDoNotCostTheReport) {
  std::ofstream(folder_ / "blocked") << "a file where a folder is due\n";
  CampaignPlan plan = small_plan(26, {&wrong_});
  plan.state_folder = folder_ / "blocked";
  plan.filter = filter_;
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(campaign.failures.size(), 1U);
  EXPECT_TRUE(campaign.unrecorded.find("blocked") != std::string::npos) << campaign.unrecorded;
  EXPECT_EQ(exit_status(campaign), 4);
}

TEST(KnownCounterexamples, OfTheProjectAreAcceptedForEveryHealthySubject) {
  CampaignPlan plan = small_plan(0, resolve_subjects({}));
  plan.known_list = known_counterexamples();
  plan.passes = {Pass::fwd, Pass::bwd};
  plan.variant_turns = plan.tier.variant_turns;
  plan.rerun_turns = plan.tier.rerun_turns;
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(campaign.tally.counterexamples,
            static_cast<Index>(read_counterexamples(known_counterexamples()).size()));
  EXPECT_GT(campaign.tally.counterexamples, 0);
  EXPECT_EQ(exit_status(campaign), 0);
}

TEST_F(KnownFailures, InADamagedListAreTheUsersToMend) {
  std::ofstream(list()) << "attest1:nonsense wrong accuracy\n";
  const std::string message = error_of([&] { (void)run(1, plain()); });
  EXPECT_TRUE(message.starts_with("usage: ")) << message;
  EXPECT_NE(message.find("counterexamples.txt:1: "), std::string::npos) << message;
}

}  // namespace
}  // namespace attest::known_failures_test
