// Goal: the terminal's summary says what was judged, by subject and by family, and closes with one
// word that agrees with the exit status.
#include "harness/report/run_table.hpp"

#include <gtest/gtest.h>

#include "properties/family.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/report/text_lines.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::run_table_test {
namespace {

Campaign run(const Subject& subject, const char* filter = "", Index cases = 26) {
  CampaignPlan plan = small_plan(cases, {&subject});
  plan.units = {Unit::fp32_seq};
  plan.filter = Filter(filter);
  plan.shrink_time = std::chrono::seconds(0);
  return run_campaign(plan);
}

std::string closing_line(const Campaign& campaign) {
  return lines_of(campaign_report(campaign, {})).back();
}

TEST(RunTable, CountsCasesByFormat) {
  const std::string report = campaign_report(run(plain()), {});
  EXPECT_TRUE(report.starts_with("cases: 0 goldens, 0 counterexamples, fresh: f16 13 (")) << report;
  EXPECT_TRUE(holds(report, "), bf16 13 (")) << report;
}

TEST(RunTable, HasARowForEachSubjectFormatAndUnit) {
  const Campaign campaign = run(plain());
  const std::string report = campaign_report(campaign, {});
  const std::string head = line_beginning(report, "subject ");
  for (const std::string& law : campaign.tally.laws_of(Pass::fwd)) {
    EXPECT_TRUE(holds(head, law)) << head;
  }
  const std::string row = line_beginning(report, "plain    bf16");
  EXPECT_TRUE(holds(row, "fp32-seq")) << report;
  const LawCounts& counts =
      campaign.tally.subjects.at({"plain", Format::bf16, Unit::fp32_seq}).laws.at("accuracy");
  EXPECT_TRUE(holds(row, std::to_string(counts.accepted) + "/" + std::to_string(counts.accepted)));
}

TEST(RunTable, HasARowForEachFamilyAndANumberForEachShapeClass) {
  const Campaign campaign = run(plain());
  const std::string table = family_table(campaign.tally);
  EXPECT_EQ(lines_of(table).size(), families_of(Pass::fwd).size() + 1);
  for (const FamilyTally& family : campaign.tally.families) {
    if (family.backward_only) continue;
    const std::string row = line_beginning(table, family.name + " ");
    EXPECT_TRUE(row.ends_with(family.title)) << row;
  }
  const std::string shapes = line_beginning(campaign_report(campaign, {}), "shapes:");
  for (const auto& [name, count] : campaign.tally.shape_classes) {
    EXPECT_TRUE(holds(shapes, " " + name + " " + std::to_string(count))) << shapes;
  }
}

TEST(RunTable, ShowsHowManyElementsHaveOneAcceptableValue) {
  Campaign campaign;
  campaign.tally.goldens = 1;
  SubjectTally& row = campaign.tally.subjects[{"one", Format::bf16, Unit::h100}];
  EXPECT_FALSE(holds(line_beginning(campaign_report(campaign, {}), "one"), "%"));
  row.replay[0] = {.judged = 8, .left = 2, .single = 6, .width_sum = 0.5};
  row.replay[4] = {.judged = 10, .left = 0, .single = 9, .width_sum = 1};
  const std::string report = campaign_report(campaign, {});
  EXPECT_TRUE(holds(line_beginning(report, "subject"), "one value")) << report;
  EXPECT_TRUE(holds(line_beginning(report, "one"), "o 75 %, dv 90 %  o 0.062, dv 0.100")) << report;
}

Campaign run_both(const Subject& subject, Index cases) {
  CampaignPlan plan = small_plan(cases, {&subject});
  plan.passes = {Pass::fwd, Pass::bwd};
  return run_campaign(plan);
}

TEST(RunTable, HasATableForEachPassWithTheLawsThatSpeakOfIt) {
  const Campaign campaign = run_both(plain(), 4);
  const std::string report = campaign_report(campaign, {});
  const std::size_t at = report.find("\nbackward cases:\n");
  ASSERT_NE(at, std::string::npos) << report;
  const std::string forward = report.substr(0, at);
  const std::string backward = report.substr(at + 1);
  const std::string head = line_beginning(backward, "subject ");
  for (const std::string& law : campaign.tally.laws_of(Pass::bwd)) {
    EXPECT_TRUE(holds(head, law)) << head;
  }
  EXPECT_FALSE(holds(head, "constant_v"));
  EXPECT_FALSE(holds(line_beginning(forward, "subject "), "group_sum"));
  for (const std::string& table : {forward, backward}) {
    EXPECT_TRUE(holds(line_beginning(table, "plain    f16"), "fp32-seq  2 ")) << table;
    EXPECT_TRUE(holds(line_beginning(table, "plain    bf16"), "fp32-seq  2 ")) << table;
  }
  EXPECT_EQ(closing_line(campaign), "ACCEPTED  8 cases, 0 rejected, 0 undecided");
}

TEST(RunTable, HasRatiosOfGradientsInBothViewsWhereThereAreAny) {
  Tally tally;
  EXPECT_FALSE(holds(family_table(tally), "dQ stage"));
  FamilyTally& family = tally.family("F8");
  family.cases[static_cast<std::size_t>(Format::bf16)] = 3;
  family.gradients["plain"] = {100, 0};
  family.worst_gradients = {0.5, 0.25, 0.125};
  family.worst_stages = {0.75, 0.375, 0.0625};
  const std::string table = family_table(tally);
  EXPECT_TRUE(
      holds(line_beginning(table, "family"), "dQ     dK     dV     dQ stage  dK stage  dV stage"))
      << table;
  EXPECT_TRUE(
      holds(line_beginning(table, "F8 "), "0.500  0.250  0.125  0.750     0.375     0.062 "))
      << table;
  EXPECT_TRUE(holds(line_beginning(table, "F0 "), "-      -      -      -         - ")) << table;
  EXPECT_EQ(line_beginning(table, "F12 "), "");  // no case of it
}

TEST(RunTable, ShowsRejectionsInTheirCellAndTheirReports) {
  const StandIn wrong({.name = "wrong", .spoil = move_by_one});
  const Campaign campaign = run(wrong, "law=accuracy;nk>=1;nq>=1");
  const std::string report = campaign_report(campaign, {});
  EXPECT_TRUE(holds(line_beginning(report, "wrong"), " rejected)")) << report;
  EXPECT_TRUE(holds(report, "REJECT  wrong ")) << report;
  EXPECT_TRUE(closing_line(campaign).starts_with("REJECTED  ")) << report;
}

TEST(RunTable, CountsTheCasesOfARowAndThoseOfThreeKeyTiles) {
  Campaign campaign = run(plain());
  SubjectTally& row = campaign.tally.subjects.at({"plain", Format::bf16, Unit::fp32_seq});
  EXPECT_GT(row.three_tiles, 0);
  EXPECT_LT(row.three_tiles, row.cases);
  row.three_tiles = 987;
  const std::string report = campaign_report(campaign, {});
  EXPECT_TRUE(holds(line_beginning(report, "subject "), "unit      cases  3+ key tiles")) << report;
  EXPECT_TRUE(holds(line_beginning(report, "plain    bf16"), "fp32-seq  13     987")) << report;
}

TEST(RunTable, ShowsTheShareOfTheSubjectThatHasTheFewestBudgets) {
  Tally tally;
  FamilyTally& family = tally.family("F3");
  family.elements["sharp"] = {1000, 0};
  family.elements["vague"] = {100, 20};
  EXPECT_TRUE(holds(line_beginning(family_table(tally), "F3 "), "20.0 %"));
}

TEST(RunTable, TellsWhatASubjectLeftOpen) {
  Campaign campaign = run(plain());
  campaign.tally.subjects.begin()->second.assumed = {"exp2", "tile_k"};
  EXPECT_TRUE(holds(campaign_report(campaign, {}),
                    "plain: assumed at their worst, not declared: exp2 tile_k\n"));
}

TEST(RunTable, TellsWhichRunsAreThoseOfAnotherSubject) {
  Campaign campaign = run(plain());
  EXPECT_FALSE(holds(campaign_report(campaign, {}), "judged once"));
  for (auto& [key, subject] : campaign.tally.subjects) subject.shared = subject.cases - 1;
  EXPECT_TRUE(holds(campaign_report(campaign, {}),
                    "plain: 24 of 26 cases run the very kernel of another subject; judged once\n"));
}

TEST(RunTable, TellsWhatASubjectDeclined) {
  const StandIn choosy({.name = "choosy", .units = {Unit::h100}});
  const Campaign campaign = run(choosy);
  const std::string report = campaign_report(campaign, {});
  const std::string reason = "choosy: declined 26 cases: choosy has no unit fp32-seq\n";
  ASSERT_TRUE(holds(report, reason)) << report;
  EXPECT_FALSE(holds(report.substr(report.find(reason) + reason.size()), "no unit"));  // told once
  EXPECT_EQ(closing_line(campaign), "UNSUPPORTED  all of 26 cases");
}

TEST(ClosingLine, AgreesWithTheExitStatus) {
  const Campaign accepted = run(plain());
  EXPECT_EQ(closing_line(accepted), "ACCEPTED  26 cases, 0 rejected, 0 undecided");
  EXPECT_EQ(exit_status(accepted), 0);

  Campaign undecided = accepted;
  undecided.undecided_cases = 2;
  EXPECT_EQ(closing_line(undecided), "UNDECIDED  26 cases, 0 rejected, 2 undecided");
  EXPECT_EQ(exit_status(undecided), 7);

  Campaign rejected = undecided;
  rejected.rejected_cases = 1;
  EXPECT_EQ(closing_line(rejected), "REJECTED  26 cases, 1 rejected, 2 undecided");
  EXPECT_EQ(exit_status(rejected), 1);

  Campaign vague = accepted;
  vague.too_unbounded = {{"F3", "plain"}};
  EXPECT_TRUE(closing_line(vague).starts_with("UNJUDGED")) << closing_line(vague);
  EXPECT_TRUE(
      holds(campaign_report(vague, {}), "family F3, subject plain: more than 1 % of the elements"));

  Campaign hollow = accepted;
  hollow.empty = {"shape class gqa"};
  EXPECT_FALSE(holds(closing_line(hollow), "ACCEPTED"));
  EXPECT_TRUE(holds(campaign_report(hollow, {}), "shape class gqa reached by no case"));
  EXPECT_EQ(exit_status(hollow), 4);

  Campaign forgetful = accepted;
  forgetful.unrecorded = "disk full";
  EXPECT_FALSE(holds(closing_line(forgetful), "ACCEPTED"));
  EXPECT_TRUE(
      holds(campaign_report(forgetful, {}), "not added to the counterexample list: disk full"));
  EXPECT_EQ(exit_status(forgetful), 4);

  Campaign late = accepted;
  late.unfinished = true;
  late.planned = 99;
  EXPECT_TRUE(closing_line(late).starts_with("ACCEPTED"));
  EXPECT_TRUE(closing_line(late).ends_with("; stopped before the end, 99 planned"));
  EXPECT_EQ(exit_status(late), 0);
  late.interrupted = true;  // nobody asked for less, so less is no acceptance
  EXPECT_TRUE(closing_line(late).starts_with("INTERRUPTED"));
  EXPECT_EQ(exit_status(late), 7);
}

TEST(ClosingLine, NeverAcceptsWhatWasNotJudged) {
  EXPECT_EQ(closing_line({}), "NOTHING SELECTED");
  const Campaign silent = run(plain(), "law=dead_rows;right=inf;left=inf;lk!=*;lq!=*;nk>0");
  ASSERT_GT(silent.tally.cases(), 0);
  EXPECT_TRUE(closing_line(silent).starts_with("NOTHING JUDGED")) << closing_line(silent);
  EXPECT_EQ(exit_status(silent), 5);
}

TEST(ClosingLine, IsColouredOnATerminalOnly) {
  const Campaign accepted = run(plain(), "", 2);
  EXPECT_FALSE(holds(campaign_report(accepted, {false}), "\033"));
  EXPECT_TRUE(holds(campaign_report(accepted, {true}), "\033[32;1mACCEPTED\033[0m"));
}

}  // namespace
}  // namespace attest::run_table_test
