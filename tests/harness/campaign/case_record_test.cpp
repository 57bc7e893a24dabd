// Goal: a line that was written and read back counts for what the case itself counts for, and a
// line that is torn, or of something else, counts for nothing.
#include "harness/campaign/case_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/core/refusal.hpp"
#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::case_record_test {
namespace {

// Subjects of every kind of result: accepted, rejected, crashed, declined, assumed.
struct Company {
  StandIn wrong{{.name = "wrong", .spoil = move_by_one}};
  StandIn crashing{{.name = "crashing",
                    .outcome = {RunOutcome::Kind::crashed, "signal \xff 11"},
                    .when = [](const RunSettings& s) { return s.schedule_seed % 2 == 1; }}};
  StandIn choosy{{.name = "choosy", .units = {Unit::device}}};
  StandIn vague{{.name = "vague", .claim = [](Numerics& numerics) { numerics.exp2 = {}; }}};

  [[nodiscard]] CampaignPlan plan(Index cases) const {
    CampaignPlan plan = small_plan(cases, {&plain(), &wrong, &crashing, &choosy, &vague});
    plan.passes = {Pass::fwd, Pass::bwd};
    plan.filter = Filter("law=accuracy,dead_rows,replay,gradient_accuracy");
    plan.seed = 5;  // of which forward case 1, the third of both passes, has rows to judge
    plan.shrink_time = std::chrono::seconds{0};
    return plan;
  }
};

std::vector<std::string> lines_of(CampaignPlan plan) {
  std::vector<std::string> lines;
  plan.on_case = [&](std::string_view line) { lines.emplace_back(line); };
  (void)run_campaign(plan);
  return lines;
}

TEST(CaseRecord, ReadsBackToTheSameLine) {
  const Company company;
  const CampaignPlan plan = company.plan(6);
  const CaseList cases(plan, {});
  const std::vector<std::string> lines = lines_of(plan);
  ASSERT_EQ(lines.size(), 12U);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    EXPECT_EQ(std::ranges::count(lines[n], '\n'), 1);
    const CaseRecord record = parse_record(lines[n], cases, plan.subjects);
    EXPECT_EQ(record.n, static_cast<Index>(n));
    EXPECT_EQ(to_line(record), lines[n]);
  }
}

TEST(CaseRecord, SaysInJsonWhatBecameOfEachSubject) {
  const Company company;
  const std::vector<std::string> lines = lines_of(company.plan(2));
  const auto json = nlohmann::json::parse(lines.at(2));
  EXPECT_EQ(json.at("schema"), "attest.case/1");
  EXPECT_EQ(json.at("origin"), "fresh");
  EXPECT_EQ(json.at("case"), to_string(CaseList(company.plan(2), {}).at(2).c));
  const auto& runs = json.at("subjects");
  ASSERT_EQ(runs.size(), 5U);
  EXPECT_EQ(runs[0].at("verdict"), "accept");
  EXPECT_EQ(runs[0].at("bits").get<std::string>().size(), 16U);
  EXPECT_EQ(runs[0].at("laws").at("accuracy").at("verdict"), "accept");
  EXPECT_EQ(runs[1].at("laws").at("accuracy").at("verdict"), "reject");
  EXPECT_EQ(runs[2].at("verdict"), "reject");
  EXPECT_EQ(runs[2].at("ending"), "crashed");
  EXPECT_FALSE(runs[3].at("unsupported").get<std::string>().empty());
  EXPECT_FALSE(runs[4].at("laws").at("accuracy").at("assumed").empty());
}

TEST(CaseRecord, KeepsTheConfigurationThatALawRejected) {
  const StandIn told({.name = "told"}, kernel_of_canary("canary/m12-other-tile-tail"));
  CampaignPlan plan = small_plan(8, {&told});
  plan.filter = Filter("law=configurations");
  plan.shrink_time = std::chrono::seconds{0};
  const CaseList cases(plan, {});
  Index kept = 0;
  for (const std::string& line : lines_of(plan)) {
    const CaseRecord record = parse_record(line, cases, plan.subjects);
    EXPECT_EQ(to_line(record), line);
    for (const LawResult& law : record.result.subjects.at(0).laws) {
      EXPECT_EQ(law.outcome.configuration.starts_with("tile_k="),
                law.outcome.verdict == Verdict::reject);
      kept += !law.outcome.configuration.empty();
    }
  }
  EXPECT_GT(kept, 0);
}

TEST(CaseRecord, IsRefusedAtEveryLengthButItsOwn) {
  const Company company;
  const CampaignPlan plan = company.plan(1);
  const CaseList cases(plan, {});
  const std::string line = lines_of(plan).at(0);
  for (std::size_t length = 0; length + 1 < line.size(); length += 7) {
    const Refusal refusal =
        refusal_of([&] { (void)parse_record(line.substr(0, length), cases, plan.subjects); });
    EXPECT_TRUE(refusal.refused) << length;
    EXPECT_EQ(refusal.blame, Blame::usage);
  }
}

TEST(CaseRecord, IsRefusedWhereItSpeaksOfSomethingElse) {
  const Company company;
  const CampaignPlan plan = company.plan(2);
  const CaseList cases(plan, {});
  const auto json = nlohmann::ordered_json::parse(lines_of(plan).at(2));
  const auto refusal = [&](const std::string& pointer, const nlohmann::ordered_json& value) {
    auto changed = json;
    changed[nlohmann::ordered_json::json_pointer(pointer)] = value;
    return refusal_of([&] { (void)parse_record(changed.dump(), cases, plan.subjects); });
  };
  EXPECT_FALSE(refusal("/seconds", 5).refused);
  EXPECT_TRUE(refusal("/schema", "attest.case/2").says("attest.case/1"));
  EXPECT_TRUE(refusal("/n", 0).says("another case"));
  EXPECT_TRUE(refusal("/n", 4).says("no such case"));
  EXPECT_TRUE(refusal("/n", -1).says("no such case"));
  EXPECT_TRUE(refusal("/case", "attest1:").says("another case"));
  EXPECT_TRUE(refusal("/subjects/0/subject", "nobody").says("'nobody' is no subject"));
  EXPECT_TRUE(refusal("/subjects/0/unit", "z80").says("unit"));
  EXPECT_TRUE(refusal("/subjects/0/laws/accuracy/verdict", "maybe").says("'maybe'"));
  EXPECT_TRUE(refusal("/subjects/2/ending", "bored").says("'bored'"));
  EXPECT_TRUE(refusal("/subjects/0/schedule_seed", "x").refused);
  EXPECT_TRUE(refusal("/subjects/0/laws/accuracy/judged/o/worst_ratio", "x").says("no number"));
}

}  // namespace
}  // namespace attest::case_record_test
