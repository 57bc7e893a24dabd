// Goal: programs get the same facts as people: a schema they can check, counts that add up, and
// numbers that read back to the same bits.
#include "harness/report/json_report.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/hex_float.hpp"
#include "harness/report/failing_report.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::json_report_test {
namespace {

using Json = nlohmann::json;

Campaign run(std::vector<const Subject*> subjects) {
  return run_campaign(small_plan(26, std::move(subjects)));
}

Json parsed(const Campaign& campaign) {
  return Json::parse(json_report({"check", "smoke", 42, exit_status(campaign)}, campaign));
}

TEST(JsonReport, NamesItsSchemaAndTheRun) {
  const Json json = parsed(run({&plain()}));
  EXPECT_EQ(json.at("schema"), "attest.report/1");
  EXPECT_EQ(json.at("command"), "check");
  EXPECT_EQ(json.at("tier"), "smoke");
  EXPECT_EQ(json.at("seed"), "42");  // 64 bits do not fit the numbers of every reader
  EXPECT_EQ(json.at("exit_status"), 0);
}

TEST(JsonReport, CountsWhatTheTallyCounts) {
  const StandIn choosy({.name = "choosy", .units = {Unit::device}});
  const Campaign campaign = run({&plain(), &choosy});
  const Json json = parsed(campaign);
  EXPECT_EQ(json.at("cases").at("goldens"), 0);
  EXPECT_EQ(json.at("cases").at("fresh").at("f16"), 13);
  EXPECT_EQ(json.at("cases").at("fresh").at("bf16"), 13);
  EXPECT_EQ(json.at("unsupported").at("choosy"), 26);
  EXPECT_EQ(json.at("rejected"), 0);
  EXPECT_EQ(json.at("families").size(), campaign.tally.families.size());
  Index family_cases = 0;
  for (const auto& [name, family] : json.at("families").items()) {
    for (const auto& [format, count] : family.at("cases").items()) {
      family_cases += count.get<Index>();
    }
  }
  EXPECT_EQ(family_cases, 26);
  EXPECT_EQ(json.at("shape_classes").size(), campaign.tally.shape_classes.size());
  ASSERT_EQ(json.at("subjects").size(), 2U);
  for (const Json& row : json.at("subjects")) {
    EXPECT_EQ(row.at("subject"), "plain");
    EXPECT_EQ(row.at("unit"), "fp32-seq");
    EXPECT_EQ(row.at("cases"), 13);
    const auto format = row.at("format") == "f16" ? Format::f16 : Format::bf16;
    EXPECT_EQ(row.at("three_key_tiles"),
              campaign.tally.subjects.at({"plain", format, Unit::fp32_seq}).three_tiles);
    const auto& replayed = campaign.tally.subjects.at({"plain", format, Unit::fp32_seq}).replay[0];
    EXPECT_GT(replayed.judged, 0);
    EXPECT_EQ(row.at("replay").at("o").at("judged"), replayed.judged);
    EXPECT_EQ(row.at("replay").at("o").at("left"), replayed.left);
    EXPECT_EQ(row.at("replay").at("o").at("single"), replayed.single);
    EXPECT_EQ(row.at("replay").at("o").at("mean_width_over_budget"), replayed.mean_width());
    EXPECT_FALSE(row.at("replay").contains("dq"));
    for (const auto& [law, counts] : row.at("laws").items()) {
      EXPECT_EQ(counts.at("rejected"), 0) << law;
      EXPECT_LE(counts.at("accepted").get<Index>(), 13) << law;
    }
  }
}

TEST(JsonReport, GivesTheWidthOfAReplayWhereThereIsABudgetBesideIt) {
  Campaign campaign;
  SubjectTally& subject = campaign.tally.subjects[{"some", Format::f16, Unit::fp32_seq, Pass::bwd}];
  subject.replay[0] = {.judged = 8, .left = 2, .single = 6, .width_sum = 2};
  subject.replay[2] = {.judged = 8, .left = 2, .single = 6, .width_sum = 0};
  const Json replay = parsed(campaign).at("subjects").at(0).at("replay");
  EXPECT_EQ(replay.at("o").at("mean_width_over_budget"), 0.25);
  EXPECT_EQ(replay.at("dq").at("judged"), 8);
  EXPECT_FALSE(replay.at("dq").contains("mean_width_over_budget"));
}

TEST(JsonReport, WritesNumbersThatReadBackToTheSameBits) {
  const StandIn wrong({.name = "wrong", .spoil = move_by_one});
  const Campaign campaign = run({&wrong});
  const Json json = parsed(campaign);
  ASSERT_EQ(json.at("failures").size(), campaign.failures.size());
  for (std::size_t n = 0; n < campaign.failures.size(); ++n) {
    const Failure& failure = campaign.failures[n];
    const Json& row = json.at("failures")[n];
    EXPECT_EQ(row.at("case"), failure.smallest_text);
    EXPECT_EQ(row.at("law"), failure.law);
    EXPECT_EQ(row.at("told_by"), n == 0 ? failure.law : campaign.failures[0].law);
    EXPECT_EQ(row.at("replay"), replay_command(failure));
    if (!failure.outcome.judgement) continue;
    const ElementJudgement& e = *failure.outcome.judgement->worst();
    const Json& element = row.at("element");
    const auto number = [&](const Json& value) { return *parse_number(value.get<std::string>()); };
    EXPECT_EQ(number(element.at("observed")), e.observed);
    EXPECT_EQ(number(element.at("exact")[0]), e.exact.lo);
    EXPECT_EQ(number(element.at("exact")[1]), e.exact.hi);
    EXPECT_EQ(number(element.at("error")), e.error);
    EXPECT_EQ(number(element.at("budget")), e.budget.total);
    EXPECT_EQ(element.at("terms").size(), e.budget.terms.size());
    for (const BudgetTerm& term : e.budget.terms) {
      EXPECT_EQ(number(element.at("terms").at(std::string(term.name))), term.value);
    }
    EXPECT_EQ(element.at("i"), e.i);
    EXPECT_EQ(element.at("verdict"), "reject");
  }
}

TEST(JsonReport, HoldsWorstRatiosByLawAndDigestsOfPromisedBits) {
  const Campaign campaign = run({&plain()});
  const Json json = parsed(campaign);
  for (const Json& row : json.at("subjects")) {
    const auto format = row.at("format") == "f16" ? Format::f16 : Format::bf16;
    const SubjectTally& tally = campaign.tally.subjects.at({"plain", format, Unit::fp32_seq});
    EXPECT_EQ(row.at("bits").size(), 13U);
    EXPECT_EQ(row.at("bits").get<decltype(tally.digests)>(), tally.digests);
    const std::string ratio = row.at("laws").at("accuracy").at("worst_ratio").get<std::string>();
    EXPECT_EQ(parse_number(ratio), tally.laws.at("accuracy").worst_ratio);
    EXPECT_GT(*parse_number(ratio), 0);
    EXPECT_FALSE(row.at("laws").at("containment").contains("worst_ratio"));  // judges no values
  }
}

TEST(JsonReport, IsWrittenWhateverALibrarySays) {
  const StandIn rude({.name = "rude", .outcome = {RunOutcome::Kind::failed, "no \xff UTF-8"}});
  const Json json = parsed(run({&rude}));
  EXPECT_EQ(json.at("failures").at(0).at("trouble"), "no \xEF\xBF\xBD UTF-8");
}

TEST(JsonReport, HoldsPassesOfRowsAndRatiosOfGradients) {
  CampaignPlan plan = small_plan(4, {&plain()});
  plan.passes = {Pass::fwd, Pass::bwd};
  const Campaign campaign = run_campaign(plan);
  const Json json = parsed(campaign);
  ASSERT_EQ(json.at("subjects").size(), 4U);
  for (const Json& row : json.at("subjects")) {
    EXPECT_EQ(row.at("cases"), 2);
    EXPECT_EQ(row.at("laws").contains("gradient_accuracy"), row.at("pass") == "bwd");
    EXPECT_EQ(row.at("laws").contains("constant_v"), row.at("pass") == "fwd");
  }
  for (const FamilyTally& family : campaign.tally.families) {
    const Json& row = json.at("families").at(family.name);
    EXPECT_EQ(row.at("worst_ratios_gradients"), family.worst_gradients) << family.name;
    EXPECT_EQ(row.at("worst_ratios_stages"), family.worst_stages) << family.name;
  }
}

TEST(JsonReport, NamesTheKeyRowOfAGradient) {
  const auto spoil = [](const Problem& p, const BackwardOutputs& out) {
    if (p.n_k > 0 && p.live_keys(0) == p.n_k) move_element(out.dk, 0, 0, p.n_k - 1, 0);
  };
  const StandIn wrong({.name = "wrong", .spoil_gradients = spoil});
  CampaignPlan plan = small_plan(8, {&wrong});
  plan.passes = {Pass::bwd};
  plan.filter = Filter("law=stage_accuracy;right=inf;left=inf;nk>=3;nq>=1;lq!=*");
  plan.shrink_time = std::chrono::seconds(0);
  const Campaign campaign = run_campaign(plan);
  ASSERT_EQ(campaign.failures.size(), 1U);
  const Json element = parsed(campaign).at("failures").at(0).at("element");
  EXPECT_EQ(element.at("tensor"), "dk");
  EXPECT_EQ(element.at("i"), campaign.failures[0].original.problem.n_k - 1);
  EXPECT_FALSE(element.at("terms").empty());
}

TEST(JsonReport, TellsHowACrashedRunEnded) {
  const StandIn crashes({.name = "x", .outcome = {RunOutcome::Kind::crashed, "signal 11"}});
  const Json json = parsed(run({&crashes}));
  EXPECT_EQ(json.at("troubled"), 26);
  EXPECT_EQ(json.at("exit_status"), 3);
  EXPECT_EQ(json.at("failures").at(0).at("trouble"), "signal 11");
  EXPECT_EQ(json.at("failures").at(0).at("ending"), "crashed");
}

TEST(JsonReport, HoldsTheScheduleSeedOfAFailureThatNeedsOne) {
  const StandIn racy({.name = "racy",
                      .when = [](const RunSettings& s) { return s.schedule_seed != 0; },
                      .spoil = move_by_one});
  const Campaign campaign = run({&racy});
  ASSERT_FALSE(campaign.failures.empty());
  const Failure& failure = campaign.failures[0];
  EXPECT_NE(failure.schedule_seed, 0U);
  const Json row = parsed(campaign).at("failures").at(0);
  EXPECT_EQ(row.at("schedule_seed"), std::to_string(failure.schedule_seed));
  EXPECT_TRUE(row.at("replay").get<std::string>().ends_with(" --schedule-seed " +
                                                            std::to_string(failure.schedule_seed)));
}

TEST(JsonReport, HoldsWhatWasTriedOfEachDimensionAndHowItEnded) {
  const StandIn wrong({.spoil = move_by_one});
  Campaign campaign = run({&wrong});
  ASSERT_FALSE(campaign.failures.empty());
  EXPECT_GT(campaign.failures[0].needs.runs, 20);
  campaign.failures[0].needs.probes = {
      {"nk", "2", true, {{"0", Trial::declined}, {"1", Trial::passes}, {"2", Trial::fails}}}};
  campaign.failures[0].needs.untried = {"hk"};
  const Json row = parsed(campaign).at("failures").at(0);
  EXPECT_EQ(row.at("shrink_tried"), campaign.failures[0].shrunk.tried);
  EXPECT_EQ(row.at("shrink_out_of_time"), false);
  const Json& needs = row.at("needs");
  EXPECT_EQ(needs.at("runs"), campaign.failures[0].needs.runs);
  EXPECT_EQ(needs.at("out_of_time_for"), Json::array({"hk"}));
  const Json& keys = needs.at("dimensions").at(0);
  EXPECT_EQ(keys.at("need"), "some");
  EXPECT_EQ(keys.at("summary"), "nk > 1");
  EXPECT_EQ(keys.at("tried").at("fails"), Json::array({"2"}));
  EXPECT_EQ(keys.at("tried").at("passes"), Json::array({"1"}));
  EXPECT_EQ(keys.at("tried").at("declined"), Json::array({"0"}));
}

TEST(JsonReport, NamesFamilyAndSubjectOfWhatHadTooFewBudgets) {
  Campaign campaign = run({&plain()});
  EXPECT_TRUE(parsed(campaign).at("too_unbounded").empty());
  campaign.too_unbounded = {{"F3", "plain"}};
  EXPECT_EQ(parsed(campaign).at("too_unbounded").at(0),
            (Json{{"family", "F3"}, {"subject", "plain"}}));
}

TEST(JsonReport, OfCanariesTellsWhichWereCaughtAndWhatKeptTheOthers) {
  CanaryPlan plan;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == "canary/m11-top-left-causal") plan.canaries = {&entry};
  }
  plan.cases = 60;
  const CanaryRun canaries = run_canaries(plan);
  const Json json = Json::parse(json_report({"canaries", "smoke", 1, 0}, canaries));
  EXPECT_EQ(json.at("schema"), "attest.report/1");
  EXPECT_EQ(json.at("control_refused"), 0);
  ASSERT_EQ(json.at("canaries").size(), 1U);
  const Json& row = json.at("canaries")[0];
  EXPECT_EQ(row.at("name"), "canary/m11-top-left-causal");
  for (const char* fact : {"caught", "rejected", "small", "control_accepted"}) {
    EXPECT_EQ(row.at(fact), true) << fact;
  }
  EXPECT_EQ(row.at("failure").at("case"), canaries.canaries[0].failure.smallest_text);
}

TEST(ReportFile, IsWrittenWholeAndReplacesTheOldOne) {
  const OwnFolder folder;
  write_report(folder / "r.json", "old and longer\n");
  write_report(folder / "r.json", "new\n");
  std::ifstream stream(folder / "r.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "new\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ReportFile, ReplacesWhatALinkPointsToAndKeepsTheLink) {
  const OwnFolder folder;
  write_report(folder / "real.json", "old\n");
  std::filesystem::create_symlink("real.json", folder / "link.json");
  write_report(folder / "link.json", "new\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
  std::ifstream stream(folder / "real.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "new\n");
}

TEST(ReportFile, ThatCannotBeIsRefusedWithoutTraces) {
  const OwnFolder folder;
  const std::filesystem::path nowhere = folder / "missing/r.json";
  EXPECT_EQ(error_of([&] { write_report(nowhere, "x"); }),
            "usage: report file " + nowhere.string() + ": cannot be written");
  std::filesystem::create_directory(folder / "taken");
  EXPECT_NE(error_of([&] { write_report(folder / "taken", "x"); }), "nothing");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ReportFile, HasToHaveAPlaceBeforeTheRun) {
  const OwnFolder folder;
  EXPECT_EQ(error_of([&] { require_report_folder(folder / "r.json"); }), "nothing");
  EXPECT_EQ(error_of([] { require_report_folder("r.json"); }), "nothing");  // the working directory
  EXPECT_NE(error_of([&] { require_report_folder(folder / "missing/r.json"); }), "nothing");
  EXPECT_NE(error_of([&] { require_report_folder(folder.path()); }), "nothing");
  std::filesystem::create_symlink("circle", folder / "circle");  // a folder that cannot be reached
  const std::filesystem::path circle = folder / "circle/r.json";
  EXPECT_TRUE(error_of([&] {
                require_report_folder(circle);
              }).starts_with("usage: report file " + circle.string() + ": "));
}

}  // namespace
}  // namespace attest::json_report_test
