// Goal: a campaign that was cut off anywhere, and goes on, ends with the very report of one that
// was not. Here the cut is made in its files; tests/harness/cli kills the process.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/goldens.hpp"
#include "harness/report/json_report.hpp"
#include "properties/counterexamples.hpp"
#include "tests/core/refusal.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::resume_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// One that is accepted, one that is rejected in some cases, one that crashes in some.
struct Company {
  StandIn wrong{{.name = "wrong",
                 .when = [](const RunSettings& s) { return s.schedule_seed % 3 == 1; },
                 .spoil = move_by_one}};
  StandIn crashing{{.name = "crashing",
                    .outcome = {RunOutcome::Kind::crashed, "signal 11"},
                    .when = [](const RunSettings& s) { return s.schedule_seed == 4; }}};

  [[nodiscard]] CampaignPlan plan(const OwnFolder& folder) const {
    CampaignPlan plan = small_plan(5, {&plain(), &wrong, &crashing});
    plan.passes = {Pass::fwd, Pass::bwd};
    plan.filter = Filter("law=accuracy,replay,gradient_accuracy");
    plan.state_folder = folder / "state";
    plan.journal_folder = folder / "journal";
    plan.shrink_time = std::chrono::seconds{120};  // plenty: what is cut off depends on the clock
    return plan;
  }
};

std::string report(const CampaignPlan& plan) {
  const Campaign campaign = run_campaign(plan);
  return json_report({"check", "smoke", plan.seed, exit_status(campaign)}, campaign);
}

// Of the same campaign where nothing is kept.
std::string unbroken_report(const Company& company) {
  const OwnFolder folder;
  CampaignPlan plan = company.plan(folder);
  plan.journal_folder.clear();
  return report(plan);
}

TEST(Resume, EndsWithTheSameReportWhereverTheJournalWasCut) {
  const Company company;
  const OwnFolder folder;
  const std::string unbroken = unbroken_report(company);
  const CampaignPlan plan = company.plan(folder);
  EXPECT_EQ(report(plan), unbroken);
  const fs::path cases = folder / "journal" / "cases.jsonl";
  const std::string whole = text_of(cases);
  ASSERT_GT(whole.size(), 1000U);
  // The counterexample list has grown by now, and would bring other cases.
  ASSERT_FALSE(read_counterexamples(folder / "state" / "counterexamples.txt").empty());
  for (std::size_t cut = 0; cut <= whole.size(); cut += whole.size() / 5) {
    std::ofstream(cases, std::ios::trunc | std::ios::binary) << whole.substr(0, cut);
    EXPECT_EQ(report(plan), unbroken) << cut;
  }
}

TEST(Resume, RunsNoCaseTwice) {
  const OwnFolder folder;
  std::atomic<int> runs = 0;
  const StandIn counted({.name = "counted", .spoil = [&](const auto&, const auto&) { ++runs; }});
  CampaignPlan plan = small_plan(8, {&counted});
  plan.cases.reset();
  plan.tier.cases = 8;
  plan.filter = Filter("law=accuracy;family=F1,F2,F3");  // leaves out some in between
  plan.journal_folder = folder / "journal";
  const Campaign first = run_campaign(plan);
  const int once = runs;
  ASSERT_GT(once, 1);
  ASSERT_LT(once, 8);
  EXPECT_EQ(first.resumed, 0);
  const Campaign again = run_campaign(plan);
  EXPECT_EQ(runs, once);
  EXPECT_EQ(again.resumed, once);
  EXPECT_EQ(json_report({}, again), json_report({}, first));
}

TEST(Resume, StreamsTheCasesThatWereFinishedBeforeAsWell) {
  const Company company;
  const OwnFolder folder;
  CampaignPlan plan = company.plan(folder);
  std::string first, again;
  plan.on_case = [&](std::string_view line) { first += line; };
  (void)run_campaign(plan);
  plan.on_case = [&](std::string_view line) { again += line; };
  (void)run_campaign(plan);
  EXPECT_EQ(first, again);  // seconds and all
  EXPECT_EQ(first, text_of(folder / "journal" / "cases.jsonl"));
}

TEST(Resume, CountsTimeOfEarlierProcessesAgainstTheBudget) {
  const OwnFolder folder;
  CampaignPlan plan = small_plan(1'000'000, {&plain()});
  plan.budget = std::chrono::seconds{1};
  plan.journal_folder = folder / "journal";
  const Campaign first = run_campaign(plan);
  EXPECT_TRUE(first.unfinished);
  // What the last case took may have been the end of it; else there is less than a case left.
  const Campaign again = run_campaign(plan);
  EXPECT_TRUE(again.unfinished);
  EXPECT_EQ(again.resumed, first.tally.cases());
  EXPECT_LE(again.tally.cases(), first.tally.cases() + first.tally.cases() / 2 + 4);
}

TEST(Resume, GoesOnAfterAnInterrupt) {
  const Company company;
  const OwnFolder folder;
  const std::string unbroken = unbroken_report(company);
  CampaignPlan plan = company.plan(folder);
  std::atomic<int> done = 0;
  plan.on_progress = [&](const Progress&) { ++done; };
  plan.interrupted = [&] { return done >= 3; };
  plan.threads = 1;
  const Campaign cut = run_campaign(plan);
  EXPECT_TRUE(cut.interrupted);
  plan.interrupted = nullptr;
  EXPECT_EQ(report(plan), unbroken);
}

TEST(Resume, RefusesAJournalWithADamagedLine) {
  const Company company;
  const OwnFolder folder;
  const CampaignPlan plan = company.plan(folder);
  (void)run_campaign(plan);
  const fs::path cases = folder / "journal" / "cases.jsonl";
  const std::string whole = text_of(cases);
  const std::string first = whole.substr(0, whole.find('\n') + 1);
  const auto refusal = [&](const std::string& text) {
    std::ofstream(cases, std::ios::trunc | std::ios::binary) << text;
    return refusal_of([&] { (void)run_campaign(plan); });
  };
  EXPECT_TRUE(refusal(first + "{}\n").says("cases.jsonl line 2: "));
  EXPECT_TRUE(refusal(first + first).says("line 2: its case came before"));
  EXPECT_EQ(refusal("nothing\n").blame, Blame::usage);
}

}  // namespace
}  // namespace attest::resume_test
