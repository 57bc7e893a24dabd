// Goal: each way of seeming right (cheats/) is rejected, and by what is there to see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include "harness/report/json_report.hpp"
#include "harness/report/run_table.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::cheats_test {
namespace {

using Kind = RunOutcome::Kind;

// What a campaign of a few cases holds against a subject: laws, and kinds of endings.
std::set<std::string> held_against(const Subject& subject, Index cases) {
  CampaignPlan plan = small_plan(cases, {&subject});
  plan.threads = 1;
  plan.filter = Filter("law=accuracy,replay");  // no other one is needed
  plan.shrink_time = std::chrono::seconds{0};
  const Campaign campaign = run_campaign(plan);
  EXPECT_FALSE(campaign.unfinished);  // it goes on, whatever the subject does
  EXPECT_EQ(campaign.tally.cases(), cases);
  std::set<std::string> reasons;
  for (const auto& [key, row] : campaign.tally.subjects) {
    for (const auto& [kind, count] : row.endings) reasons.insert(std::string(name_of(kind)));
    for (const auto& [law, counts] : row.laws) {
      if (counts.rejected > 0) reasons.insert(law);
    }
  }
  return reasons;
}

struct Cheat {
  std::string library;
  std::string subject;
  std::string reason;  // a law, or a kind of ending
};

// More cases where the bug needs a shape.
constexpr Index kFew = 28, kMany = 84;

void expect_rejected(const std::vector<Cheat>& cheats, Index cases = kFew,
                     std::chrono::milliseconds patience = kPlentyOfTime) {
  for (const Cheat& cheat : cheats) {
    const auto subject = load_one(built_plugin("cheat_" + cheat.library) + "#" + cheat.subject,
                                  built_worker(patience));
    const std::set<std::string> reasons = held_against(*subject, cases);
    std::string all;
    for (const std::string& reason : reasons) all += reason + "; ";
    EXPECT_TRUE(reasons.contains(cheat.reason)) << cheat.subject << " by " << all;
  }
}

TEST(Cheats, HonestyIsNoneOfThem) {
  const auto honest = load_one(built_plugin("attention"));
  EXPECT_EQ(held_against(*honest, kMany), std::set<std::string>{});
}

TEST(Cheats, WithMemoryThatIsNotTheirsAreCaughtAtIt) {
  expect_rejected({{"01_leftover", "leftover", "left output unwritten"},
                   {"02_changed_inputs", "in-place", "changed its inputs"},
                   {"02_changed_inputs", "by-the-file", "changed its inputs"},
                   {"08_late", "late", "broke rules"},
                   {"20_one_over", "past", "went out of bounds"},
                   {"20_one_over", "before", "went out of bounds"},
                   {"20_one_over", "read-past", "went out of bounds"}});
}

TEST(Cheats, ThatComputeSomethingElseAreCaughtByTheirNumbers) {
  expect_rejected({{"03_shortcuts", "zeros", "accuracy"},
                   {"03_shortcuts", "copy-of-v", "accuracy"},
                   {"03_shortcuts", "mean-of-v", "accuracy"},
                   {"03_shortcuts", "uniform", "accuracy"},
                   {"03_shortcuts", "no-mask", "accuracy"},
                   {"03_shortcuts", "no-last-tile", "accuracy"},
                   {"11_uninitialised", "uninitialised", "accuracy"},
                   {"13_wildcard", "wildcard", "accuracy"},
                   {"21_stale_lse", "stale-lse", "accuracy"}});
  expect_rejected({{"06_multiples", "multiples-of-64", "accuracy"},
                   {"09_narrow", "narrow", "accuracy"},
                   {"19_ignored", "alignment", "accuracy"},
                   {"19_ignored", "lengths", "accuracy"},
                   {"19_ignored", "scale", "accuracy"},
                   {"19_ignored", "groups", "accuracy"}},
                  kMany);
}

TEST(Cheats, ThatRememberAreCaughtByOtherValuesOfTheSameShape) {
  expect_rejected({{"04_constant", "constant", "accuracy"},
                   {"05_cached", "by-address", "accuracy"},
                   {"05_cached", "by-shape", "accuracy"},
                   {"05_cached", "by-first-value", "accuracy"},
                   {"07_first_calls", "first-calls", "accuracy"}});
}

TEST(Cheats, ThatDoNotRepeatThemselvesAreCaughtByTheirPromise) {
  expect_rejected({{"12_race", "race", "was not deterministic"}});
  expect_rejected({{"22_alone", "alone", "was not deterministic"}}, 12);
}

TEST(Cheats, WithTheirProcessAreCaughtByItsEnd) {
  expect_rejected({{"14_forged", "forged", "gave a malformed reply"},
                   {"17_exit", "exit", "crashed"},
                   {"18_endless", "prints", "accuracy"}});
  expect_rejected({{"18_endless", "hangs", "hung"}}, 4, std::chrono::milliseconds(100));
}

// Their answers are within every budget: only the schedule that they declare gives them away.
TEST(Cheats, ThatDeclareAnotherScheduleAreCaughtByItsReplay) {
  const auto borrowed = load_one(built_plugin("cheat_10_borrowed"));
  EXPECT_EQ(held_against(*borrowed, kFew), std::set<std::string>{"replay"});
}

TEST(Cheats, ThatOverwriteFilesFindNoneToOverwrite) {
  const OwnFolder folder;
  std::ofstream(folder / "victim") << "as it was";
  setenv("CHEAT_FOLDER", folder.path().c_str(), 1);
  expect_rejected({{"16_files", "files", "accuracy"}}, 4);
  unsetenv("CHEAT_FOLDER");
  std::ifstream file(folder / "victim");
  std::string text;
  std::getline(file, text);
  EXPECT_EQ(text, "as it was");
}

// A case whose exact answer nothing in it spells out.
Problem scanned_problem() {
  Problem p;
  p.n_q = p.n_k = 7;
  p.d_qk = p.d_v = 8;
  p.out = Format::f32;
  p.scale = 0.5f;
  return p;
}

// Looks in the worker for eight bytes, turned so that the environment itself does not hold them.
RunOutcome scan_for(std::uint64_t needle, const Problem& p, const Inputs& inputs, Tensor& lse) {
  char turned[24];
  std::snprintf(turned, sizeof turned, "%llx", static_cast<unsigned long long>(~needle));
  setenv("CHEAT_NEEDLE", turned, 1);
  const auto subject = load_one(built_plugin("cheat_15_scan"));
  Execution run = execute(*subject, p, inputs, {Unit::fp32_seq});
  unsetenv("CHEAT_NEEDLE");
  lse = std::move(run.outputs.lse);
  return run.outcome;
}

bool all_zero(const Tensor& tensor) {
  return std::ranges::all_of(tensor.bytes(), [](std::byte one) { return one == std::byte{0}; });
}

std::uint64_t first_word(const Tensor& tensor) {
  std::uint64_t word = 0;
  std::memcpy(&word, tensor.bytes().data(), sizeof word);
  return word;
}

TEST(Cheats, ThatLookForTheAnswerInMemoryFindNone) {
  const Problem p = scanned_problem();
  const Inputs inputs = materialise({p, FamilyData{"F0", 3}});
  const auto honest = load_one(built_plugin("attention"));
  const Execution right = execute(*honest, p, inputs, {Unit::fp32_seq});
  ASSERT_EQ(right.outcome.kind, Kind::ran);
  const Answer answer = enclose_forward(p, inputs);
  std::uint64_t exact = 0;
  std::memcpy(&exact, &answer.o.at(0).lo, sizeof exact);

  Tensor lse;
  // It finds what is there: its scan is no sham.
  EXPECT_EQ(scan_for(first_word(inputs.q), p, inputs, lse).kind, Kind::ran);
  EXPECT_EQ(lse, right.outputs.lse);
  for (const std::uint64_t needle :
       {first_word(right.outputs.o), first_word(right.outputs.lse), exact}) {
    EXPECT_EQ(scan_for(needle, p, inputs, lse).kind, Kind::ran);
    EXPECT_TRUE(all_zero(lse));
  }
  expect_rejected({{"15_scan", "scan", "accuracy"}}, 4);
}

TEST(Cheats, AreToldByKindInTableAndReport) {
  const auto subject = load_one(built_plugin("cheat_17_exit"));
  CampaignPlan plan = small_plan(2, {subject.get()});
  plan.shrink_time = std::chrono::seconds{0};
  const Campaign campaign = run_campaign(plan);
  EXPECT_EQ(exit_status(campaign), 3);
  const std::string page = campaign_report(campaign, {});
  EXPECT_NE(page.find("(1 crashed)"), std::string::npos) << page;
  EXPECT_NE(page.find("2 ended badly"), std::string::npos) << page;
  const std::string json = json_report({}, campaign);
  EXPECT_NE(json.find("\"endings\": {\n        \"crashed\": 1\n"), std::string::npos) << json;
}

}  // namespace
}  // namespace attest::cheats_test
