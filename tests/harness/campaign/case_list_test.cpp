// Goal: case n of a campaign is the same whoever asks for it, and when.
#include "harness/campaign/case_list.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "properties/counterexamples.hpp"
#include "properties/covering/plan.hpp"
#include "properties/draw.hpp"
#include "properties/family.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::case_list_test {
namespace {

constexpr const char* kKnown =
    "attest1:b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
    "align=br;pass=fwd;data=q:3c00,k:3c00,v:3c00";

TEST(CaseList, HoldsGoldensThenCounterexamplesThenFreshCasesOfBothPassesSideBySide) {
  const OwnFolder folder;
  std::ofstream(folder / "list") << kKnown << " plain accuracy h100\n";
  CampaignPlan plan = small_plan(3, {&plain()});
  plan.passes = {Pass::fwd, Pass::bwd};
  plan.golden_folder = golden_folder();
  plan.seed = 9;
  const CaseList cases(plan, folder / "list");
  const Index fresh = cases.size() - 6;
  ASSERT_GT(fresh, 1);
  for (Index n = 0; n < cases.size(); ++n) {
    const NumberedCase one = cases.at(n);
    EXPECT_EQ(one.origin, n < fresh - 1    ? Origin::golden
                          : n == fresh - 1 ? Origin::counterexample
                                           : Origin::fresh);
    EXPECT_EQ(one.golden != nullptr, one.origin == Origin::golden);
  }
  const NumberedCase known = cases.at(fresh - 1);
  EXPECT_EQ(known.text, kKnown);
  EXPECT_EQ(known.unit, Unit::h100);
  EXPECT_EQ(cases.values_of(known), std::get<Inputs>(parse_case(kKnown).data));
  const auto planned = [](std::uint64_t index, Pass pass) {
    return draw(9, index, pass, covering_plan(9, pass, 2, 3).at(index));
  };
  for (Index n = 0; n < 3; ++n) {
    const auto index = static_cast<std::uint64_t>(n);
    EXPECT_EQ(cases.at(fresh + 2 * n).c, planned(index, Pass::fwd));
    EXPECT_EQ(cases.at(fresh + 2 * n + 1).c, planned(index, Pass::bwd));
    EXPECT_EQ(cases.at(fresh + 2 * n + 1).schedule_seed, index);
    EXPECT_EQ(cases.at(fresh + 2 * n).text, to_string(planned(index, Pass::fwd)));
  }
}

TEST(CaseList, AsksOfACounterexampleItsOwnLawBesideThoseInTurn) {
  const OwnFolder folder;
  std::ofstream list(folder / "list");
  std::vector<const Law*> rerunning;
  for (const Law& law : laws()) {
    if (!law.reruns || !law.speaks_of(Pass::fwd)) continue;
    list << kKnown << " plain " << law.name << "\n";
    rerunning.push_back(&law);
  }
  list.close();
  CampaignPlan plan = small_plan(0, {&plain()});
  plan.rerun_turns = 5;
  const CaseList cases(plan, folder / "list");
  ASSERT_EQ(cases.size(), static_cast<Index>(rerunning.size()));
  for (Index n = 0; n < cases.size(); ++n) {
    const NumberedCase one = cases.at(n);
    const std::vector<const Law*>& due = *one.rerun;
    EXPECT_NE(std::ranges::find(due, rerunning[static_cast<std::size_t>(n)]), due.end()) << n;
    EXPECT_LE(due.size(), rerunning.size() / 5 + 2) << n;
  }
}

TEST(CaseList, GivesAVariantItsOwnCounterexamplesAndOthersInTurn) {
  const OwnFolder folder;
  const StandIn main({.name = "main"}), own({.name = "variant/own"}),
      other({.name = "variant/other"});
  std::ofstream list(folder / "list");
  for (int n = 0; n < 12; ++n) list << kKnown << " variant/own accuracy\n";
  list.close();
  CampaignPlan plan = small_plan(0, {&main, &own, &other});
  plan.variant_turns = 6;
  const CaseList cases(plan, folder / "list");
  std::map<std::string, int> taken;
  for (Index n = 0; n < cases.size(); ++n) {
    for (const Subject* taker : cases.takers(cases.at(n), plan.subjects)) ++taken[taker->name()];
  }
  EXPECT_EQ(taken,
            (std::map<std::string, int>{{"main", 12}, {"variant/other", 2}, {"variant/own", 12}}));
}

TEST(CaseList, LeavesOutStoredCasesOfOtherPassesAndFilters) {
  const OwnFolder folder;
  std::ofstream(folder / "list") << kKnown << " plain accuracy\n";
  CampaignPlan plan = small_plan(0, {&plain()});
  EXPECT_EQ(CaseList(plan, folder / "list").size(), 1);
  EXPECT_EQ(CaseList(plan, folder / "none").size(), 0);
  plan.filter = Filter("nk>=2");
  EXPECT_EQ(CaseList(plan, folder / "list").size(), 0);
  plan.filter = {};
  plan.passes = {Pass::bwd};
  EXPECT_EQ(CaseList(plan, folder / "list").size(), 0);
}

TEST(CaseList, GivesEachPassItsPartOfAnyBeginningAndEachCaseOnce) {
  CampaignPlan plan = small_plan(0, {&plain()});
  plan.cases.reset();
  plan.passes = {Pass::fwd, Pass::bwd};  // 528 and 300
  const CaseList cases(plan, {});
  std::map<Pass, std::uint64_t> met;
  for (Index n = 0; n < cases.size(); ++n) {
    const NumberedCase one = cases.at(n);
    EXPECT_EQ(one.schedule_seed, met[one.c.problem.pass]++);
    const double own = 300.0 / 828 * static_cast<double>(n + 1);
    EXPECT_NEAR(static_cast<double>(met[Pass::bwd]), own, 1);
  }
  EXPECT_EQ(met[Pass::fwd], 528U);
  EXPECT_EQ(met[Pass::bwd], 300U);
}

TEST(CaseList, HasAsManyCasesAsWereAskedForThatTheFilterLetsThrough) {
  CampaignPlan plan = small_plan(20, {&plain()});
  plan.filter = Filter("family=F7,F21;nk>=64");
  const CaseList cases(plan, {});
  ASSERT_EQ(cases.size(), 20);
  for (Index n = 0; n < 20; ++n) {
    EXPECT_TRUE(plan.filter.admits_case(cases.at(n).c));
    const std::uint64_t before = n == 0 ? 0 : cases.at(n - 1).schedule_seed + 1;
    EXPECT_GE(cases.at(n).schedule_seed, before);
  }
  plan.filter = Filter("nk>=100000");
  EXPECT_EQ(CaseList(plan, {}).size(), 0);
  plan.cases.reset();  // the tier's number is one of draws
  EXPECT_EQ(CaseList(plan, {}).size(), 528);
}

TEST(CaseList, OfASoakWithABudgetHasNoEnd) {
  CampaignPlan plan = small_plan(0, {&plain()});
  plan.tier = tier_named("soak");
  plan.cases.reset();
  plan.passes = {Pass::fwd, Pass::bwd};
  EXPECT_EQ(CaseList(plan, {}).size(), 2640 + 1500);
  plan.budget = std::chrono::seconds{60};
  const CaseList cases(plan, {});
  EXPECT_EQ(cases.least_size(), 2640 + 1500);
  EXPECT_GT(cases.size(), Index{1} << 38);
  const NumberedCase far = cases.at(4'140'000);
  EXPECT_EQ(far.c.problem.pass, Pass::fwd);
  EXPECT_EQ(far.schedule_seed, 2'640'000U);
}

TEST(CaseList, GivesEachVariantItsRoundsAndEveryoneElseAll) {
  const StandIn one({.name = "variant/one"}), two({.name = "variant/two"});
  const std::vector<const Subject*> subjects = {&plain(), &one, &two};
  const auto round = static_cast<Index>(2 * families_of(Pass::fwd).size());
  CampaignPlan plan = small_plan(2 * round, subjects);
  plan.variant_turns = 2;
  const CaseList cases(plan, {});
  for (Index n = 0; n < cases.size(); ++n) {
    const std::vector<const Subject*> taken = cases.takers(cases.at(n), subjects);
    ASSERT_EQ(taken.size(), 2U) << n;
    EXPECT_EQ(taken[0], &plain());
    EXPECT_EQ(taken[1], n < round ? &two : &one) << n;
  }
}

TEST(Origin, HasANameOfItsOwnEach) {
  std::set<std::string_view> names;
  for (const Origin origin : {Origin::golden, Origin::counterexample, Origin::fresh}) {
    names.insert(name_of(origin));
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"golden", "counterexample", "fresh"}));
}

}  // namespace
}  // namespace attest::case_list_test
