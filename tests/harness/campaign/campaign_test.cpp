// Goal: a campaign counts, remembers and ends as documented, and does so alike for any number of
// threads.
#include "harness/campaign/campaign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "harness/campaign/goldens.hpp"
#include "harness/report/json_report.hpp"
#include "oracle/precision.hpp"
#include "properties/counterexamples.hpp"
#include "properties/draw.hpp"
#include "properties/family.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest::campaign_test {
namespace {

TEST(Campaign, IsTheSameForAnyNumberOfThreads) {
  const StandIn wrong({.name = "wrong"}, kernel_of_canary("canary/m11-top-left-causal"));
  std::set<std::string> reports;
  for (const unsigned threads : {1U, 2U, 5U}) {
    CampaignPlan plan = small_plan(40, {&plain(), &wrong});
    plan.threads = threads;
    const Campaign campaign = run_campaign(plan);
    EXPECT_GT(campaign.rejected_cases, 0);
    reports.insert(json_report({}, campaign));
  }
  EXPECT_EQ(reports.size(), 1U);
}

TEST(Campaign, CountsWhatItJudged) {
  const auto in_each_format = 2 * static_cast<Index>(families_of(Pass::fwd).size());
  const Campaign campaign = run_campaign(small_plan(2 * in_each_format, {&plain()}));
  const Tally& tally = campaign.tally;
  EXPECT_EQ(tally.cases(), 2 * in_each_format);
  EXPECT_EQ(tally.fresh[static_cast<std::size_t>(Format::f16)], in_each_format);
  EXPECT_EQ(tally.fresh[static_cast<std::size_t>(Format::bf16)], in_each_format);
  EXPECT_EQ(tally.families.size(), families().size());
  for (const FamilyTally& family : tally.families) {
    if (family.backward_only) continue;
    EXPECT_EQ(family.cases[static_cast<std::size_t>(Format::f16)], 2) << family.name;
    EXPECT_EQ(family.cases[static_cast<std::size_t>(Format::bf16)], 2) << family.name;
  }
  ASSERT_EQ(tally.subjects.size(), 2U);  // one row a format
  for (const auto& [key, subject] : tally.subjects) {
    EXPECT_EQ(key.subject, "plain");
    EXPECT_EQ(key.unit, Unit::fp32_seq);
    EXPECT_EQ(subject.cases, in_each_format);
    EXPECT_GT(subject.elements, 0);
    EXPECT_GT(subject.laws.at("accuracy").accepted, 20);
    EXPECT_TRUE(subject.assumed.empty());
  }
  EXPECT_GE(tally.bits, kDoubledBits);  // binary64 does not do for all of them
  EXPECT_EQ(exit_status(campaign), 0);
}

TEST(Campaign, DependsOnItsSeed) {
  CampaignPlan plan = small_plan(10, {&plain()});
  const std::string one = json_report({}, run_campaign(plan));
  plan.seed = 2;
  EXPECT_NE(json_report({}, run_campaign(plan)), one);
}

TEST(Campaign, TellsItsProgressInOrder) {
  std::vector<Index> done;
  CampaignPlan plan = small_plan(12, {&plain()});
  plan.on_progress = [&](const Progress& progress) {
    done.push_back(progress.done);
    EXPECT_EQ(progress.planned, 12);
  };
  (void)run_campaign(plan);
  EXPECT_EQ(done, (std::vector<Index>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(Campaign, RotatesOverUnitsWithinEachFormat) {
  const StandIn four({.units = {Unit::exact_rn, Unit::v100, Unit::a100, Unit::h100}});
  const Campaign campaign = run_campaign(small_plan(32, {&four}));
  std::set<std::pair<Format, Unit>> reached;
  for (const auto& [key, subject] : campaign.tally.subjects) {
    reached.insert({key.format, key.unit});
    EXPECT_GE(subject.cases, 3) << name_of(key.unit);
  }
  EXPECT_EQ(reached.size(), 8U);  // a rotation in step with the formats would reach four
}

TEST(Campaign, OnAUnitThatNoSubjectHasIsUnsupported) {
  CampaignPlan plan = small_plan(6, {&plain()});
  plan.units = {Unit::h100};
  const Campaign campaign = run_campaign(plan);
  EXPECT_TRUE(campaign.tally.subjects.empty());
  EXPECT_EQ(campaign.tally.unsupported.at("plain"), 6);
  EXPECT_NE(campaign.tally.reasons.at("plain").begin()->first.find("h100"), std::string::npos);
  EXPECT_EQ(exit_status(campaign), 5);
}

TEST(Campaign, LooksAtWhatTheFilterAdmits) {
  CampaignPlan plan = small_plan(4, resolve_subjects({}));
  plan.filter = Filter("family=F7,F21;in=bf16;law=accuracy,one_key;subject=*tile-7");
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(campaign.tally.cases(), 4);
  ASSERT_EQ(campaign.tally.subjects.size(), 1U);
  const auto& [key, subject] = *campaign.tally.subjects.begin();
  EXPECT_EQ(key.subject, "variant/plain-tile-7");
  EXPECT_EQ(key.format, Format::bf16);
  EXPECT_LE(subject.laws.size(), 2U);
  EXPECT_TRUE(subject.laws.contains("accuracy"));
}

TEST(Campaign, ThatSelectsNothingSaysSo) {
  for (const char* filter : {"nk>=100000", "subject!=plain", "law!=*"}) {
    CampaignPlan plan = small_plan(4, {&plain()});
    plan.filter = Filter(filter);
    EXPECT_EQ(exit_status(run_campaign(plan)), 5) << filter;
  }
}

TEST(Campaign, ThatJudgesNothingDoesNotAccept) {
  // Cases run, but the one law that is asked has nothing to say about rows that all have keys.
  CampaignPlan plan = small_plan(26, {&plain()});
  plan.filter = Filter("law=dead_rows;right=inf;left=inf;lk!=*;lq!=*;nk>0");
  const Campaign campaign = run_campaign(plan);
  EXPECT_GT(campaign.tally.cases(), 0);
  EXPECT_EQ(exit_status(campaign), 5);
}

TEST(Campaign, EndsWithItsTimeBudget) {
  CampaignPlan plan = small_plan(100'000, {&plain()});
  plan.tier = {"endless", 100'000, 0, 1, 1};
  plan.budget = std::chrono::seconds(1);
  const auto start = std::chrono::steady_clock::now();
  const Campaign campaign = run_campaign(plan);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_TRUE(campaign.unfinished);
  EXPECT_GT(campaign.tally.cases(), 0);
  EXPECT_LT(campaign.tally.cases(), 100'000);
  EXPECT_TRUE(campaign.empty.empty());  // an unfinished run need not reach every class
  EXPECT_EQ(exit_status(campaign), 0);
}

TEST(Campaign, WithoutTimeJudgesNothing) {
  CampaignPlan plan = small_plan(4, {&plain()});
  plan.budget = std::chrono::seconds(0);
  const Campaign campaign = run_campaign(plan);
  EXPECT_TRUE(campaign.unfinished);
  EXPECT_EQ(exit_status(campaign), 5);
}

TEST(Campaign, StartsNoCaseAfterAnInterrupt) {
  Index done = 0;
  CampaignPlan plan = small_plan(1000, {&plain()});
  plan.threads = 1;
  plan.on_progress = [&](const Progress& progress) { done = progress.done; };
  plan.interrupted = [&] { return done >= 5; };
  const Campaign campaign = run_campaign(plan);
  EXPECT_TRUE(campaign.unfinished);
  EXPECT_TRUE(campaign.interrupted);
  EXPECT_EQ(campaign.tally.cases(), 5);
  EXPECT_EQ(exit_status(campaign), 7);  // not all that was asked for is accepted
}

TEST(EmptyClass, FailsAWholeRunAsOurOwnFault) {
  CampaignPlan plan = small_plan(2, {&plain()});
  plan.tier = {"tiny", 2, 0, 1, 1};
  const Campaign campaign = run_campaign(plan);
  const auto names = [&](const char* name) {
    return std::ranges::find(campaign.empty, name) != campaign.empty.end();
  };
  // Two cases are one family: the others are left.
  EXPECT_EQ(std::ranges::count_if(campaign.empty,
                                  [](const auto& name) { return name.starts_with("family "); }),
            static_cast<long>(families_of(Pass::fwd).size()) - 1);
  EXPECT_FALSE(names("family F0"));
  EXPECT_TRUE(names("family F22"));
  EXPECT_FALSE(names("family F8"));  // of the backward alone
  EXPECT_TRUE(std::ranges::any_of(
      campaign.empty, [](const auto& name) { return name.starts_with("shape class "); }));
  EXPECT_EQ(exit_status(campaign), 4);
}

TEST(EmptyClass, IsLookedForInEveryPassThatRuns) {
  CampaignPlan plan = small_plan(2, {&plain()});
  plan.tier = {"tiny", 2, 2, 1, 1};
  plan.passes = {Pass::fwd, Pass::bwd};
  const Campaign campaign = run_campaign(plan);
  EXPECT_NE(std::ranges::find(campaign.empty, "family F8"), campaign.empty.end());
  plan.tier.backward_cases = 3;  // and one pass that is cut short leaves classes out
  EXPECT_TRUE(run_campaign(plan).empty.empty());
}

TEST(EmptyClass, IsNoMatterInAFilteredOrShortenedRun) {
  CampaignPlan plan = small_plan(2, {&plain()});
  EXPECT_TRUE(run_campaign(plan).empty.empty());  // two of the tier's many
  plan.tier = {"tiny", 2, 0, 1, 1};
  plan.filter = Filter("nk>=0");
  EXPECT_TRUE(run_campaign(plan).empty.empty());
}

TEST(Crash, IsAFailureOfTheRunAndReportedOnce) {
  const StandIn broken({.name = "broken", .outcome = {RunOutcome::Kind::crashed, "signal 11"}});
  const Campaign campaign = run_campaign(small_plan(4, {&broken}));
  EXPECT_EQ(campaign.troubled_cases, 4);
  EXPECT_EQ(campaign.rejected_cases, 4);
  ASSERT_EQ(campaign.failures.size(), 1U);
  EXPECT_EQ(campaign.failures[0].law, kRunItself);
  EXPECT_EQ(campaign.failures[0].trouble.detail, "signal 11");
  EXPECT_EQ(exit_status(campaign), 3);
}

TEST(Crash, InALawsExtraRunIsAFailureOfThatLaw) {
  const RowwiseSubject crashes(Wrong::crash_on_ones);
  const Campaign campaign = run_campaign(small_plan(4, {&crashes}));
  EXPECT_GT(campaign.troubled_cases, 0);
  ASSERT_EQ(campaign.failures.size(), 1U);
  EXPECT_EQ(campaign.failures[0].law, "constant_v");
  EXPECT_EQ(campaign.failures[0].trouble.kind, RunOutcome::Kind::crashed);
  EXPECT_LE(campaign.failures[0].shrunk.smallest.problem.n_k, 1);
  EXPECT_EQ(exit_status(campaign), 3);
}

// The most threads that any run of the campaign was offered.
int most_threads(Index cases, unsigned workers) {
  std::atomic<int> most = 0;
  const StandIn subject({.when = [&](const RunSettings& settings) {
    int seen = most;
    while (seen < settings.threads && !most.compare_exchange_weak(seen, settings.threads)) {
    }
    return false;
  }});
  CampaignPlan plan = small_plan(cases, {&subject});
  plan.threads = workers;
  (void)run_campaign(plan);
  return most;
}

TEST(Threads, OfRunsAndOfTheCampaignTogetherFillTheCores) {
  EXPECT_EQ(most_threads(8, 1), cores());
  EXPECT_EQ(most_threads(8, static_cast<unsigned>(cores())), 1);
  EXPECT_EQ(most_threads(8, 1000), std::max(1, cores() / 8));  // eight cases keep eight busy
}

TEST(TooFewBudgets, AreLookedForSubjectBySubject) {
  const StandIn sharp({.name = "sharp"});
  const StandIn vague({.name = "vague", .claim = [](Numerics& n) { n.exp2 = 0.875; }});
  CampaignPlan plan = small_plan(132, {&sharp, &vague});
  plan.filter = Filter("law=accuracy;family=F0,F11");
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(campaign.rejected_cases, 0);
  EXPECT_EQ(campaign.too_unbounded, (std::vector<Unjudged>{{"F0", "vague"}}));
  EXPECT_EQ(exit_status(campaign), 1);
}

TEST(Failures, AreTheFirstOfEachSubjectAndLaw) {
  const StandIn one({.name = "one", .spoil = move_by_one});
  const StandIn two({.name = "two", .spoil = move_by_one});
  CampaignPlan plan = small_plan(8, {&one, &two});
  plan.filter = Filter("law=accuracy,constant_v;nk>=1;nq>=1");
  const Campaign campaign = run_campaign(plan);
  std::set<std::pair<std::string, std::string>> seen;
  for (const Failure& failure : campaign.failures) {
    EXPECT_TRUE(seen.insert({failure.subject->name(), failure.law}).second);
    EXPECT_EQ(failure.outcome.verdict, Verdict::reject);
  }
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(exit_status(campaign), 1);
}

TEST(GoldensOfACampaign, ComeFirstAndAreJudgedLikeAnyCase) {
  CampaignPlan plan = small_plan(0, {&plain()});
  plan.golden_folder = golden_folder();
  const Campaign campaign = run_campaign(plan);
  EXPECT_GE(campaign.tally.goldens, 10);
  EXPECT_EQ(campaign.tally.cases(), campaign.tally.goldens);
  EXPECT_EQ(exit_status(campaign), 0);

  const auto canary = kernel_of_canary("canary/m11-top-left-causal");
  plan.subjects = {canary.get()};
  EXPECT_EQ(exit_status(run_campaign(plan)), 1);
}

// Silence would read as if the named unit had been judged.
TEST(Campaign, NamesAUnitThatWasAskedForAndNeverRan) {
  CampaignPlan plan = small_plan(4, {&plain()});
  plan.units = {Unit::fp32_seq, Unit::device};
  EXPECT_EQ(run_campaign(plan).idle_units, std::vector{Unit::device});
  plan.units = emulated_units();  // the default names none
  EXPECT_TRUE(run_campaign(plan).idle_units.empty());
}

}  // namespace
}  // namespace attest::campaign_test
