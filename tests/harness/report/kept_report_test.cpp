// Goal: a report of JSON reads back as the campaign that it was written of, and nothing else reads
// as one.
#include "harness/report/kept_campaign.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/report/json_report.hpp"
#include "tests/core/refusal.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/report/gate_sample.hpp"

namespace attest::kept_report_test {
namespace {

std::string text_of(const Campaign& campaign) {
  return json_report({"check", "smoke", 42, exit_status(campaign)}, campaign);
}

TEST(KeptReport, ReadsBackAsTheCampaignThatItWasWrittenOf) {
  const KeptReport today = kept(gate_sample());
  const KeptReport earlier = parse_kept_report(text_of(gate_sample()));
  EXPECT_EQ(earlier.title, "tier smoke, seed 42");
  EXPECT_TRUE(earlier.has_ratios);
  EXPECT_TRUE(earlier.has_bits);
  ASSERT_EQ(earlier.rows.size(), today.rows.size());
  for (const auto& [name, row] : today.rows) {
    const KeptRow& then = earlier.rows.at(name);
    EXPECT_EQ(then.digests, row.digests) << name;
    ASSERT_EQ(then.laws.size(), row.laws.size()) << name;
    for (const auto& [law, kept] : row.laws) {
      EXPECT_EQ(then.laws.at(law).verdict, kept.verdict) << name << law;
      EXPECT_EQ(then.laws.at(law).worst_ratio, kept.worst_ratio) << name << law;
    }
  }
  EXPECT_EQ(today.rows.at("plain f16 fp32-seq fwd").laws.at("accuracy").verdict, "accept");
  EXPECT_EQ(today.rows.at("plain f16 fp32-seq fwd").digests.size(), 4U);
  EXPECT_EQ(today.rows.at("crashing bf16 fp32-seq fwd").laws.at("run").verdict, "reject");
}

TEST(KeptReport, KnowsWhatAnOlderReportLacks) {
  auto json = nlohmann::json::parse(text_of(accepted_campaign()));
  for (auto& row : json.at("subjects")) {
    row.erase("bits");
    for (auto& law : row.at("laws")) law.erase("worst_ratio");
  }
  const KeptReport report = parse_kept_report(json.dump());
  EXPECT_FALSE(report.has_bits);
  EXPECT_FALSE(report.has_ratios);
  EXPECT_EQ(report.rows.size(), 2U);
}

TEST(KeptReport, RefusesEverythingElse) {
  const auto json = nlohmann::json::parse(text_of(accepted_campaign()));
  const auto refusal = [](const std::string& text) {
    return refusal_of([&] { (void)parse_kept_report(text); });
  };
  const auto changed = [&](const std::string& pointer, const nlohmann::json& value) {
    auto copy = json;
    copy[nlohmann::json::json_pointer(pointer)] = value;
    return refusal(copy.dump());
  };
  EXPECT_FALSE(refusal(json.dump()).refused);
  EXPECT_TRUE(
      changed("/schema", "attest.report/2").says("\"attest.report/2\" is not attest.report/1"));
  EXPECT_TRUE(changed("/schema", 1).says("schema 1 is not"));
  EXPECT_TRUE(changed("/command", "canaries").says("is no report of attest check"));
  EXPECT_TRUE(changed("/subjects", 5).refused);
  EXPECT_TRUE(changed("/subjects/0/laws/accuracy/accepted", "many").refused);
  EXPECT_TRUE(changed("/subjects/0/laws/accuracy/worst_ratio", "big").says("no number"));
  EXPECT_TRUE(changed("/subjects/0/laws/accuracy/worst_ratio", "nan").says("no number"));
  EXPECT_TRUE(changed("/subjects/0/bits", {{"a", 1}}).refused);
  for (const std::string text : {"", "[]", "{}", "nothing", "\"attest.report/1\"", "null"}) {
    EXPECT_EQ(refusal(text).blame, Blame::usage) << text;
    EXPECT_TRUE(refusal(text).refused) << text;
  }
  const std::string whole = json.dump();
  for (std::size_t length = 0; length < whole.size(); length += 101) {
    EXPECT_TRUE(refusal(whole.substr(0, length)).refused) << length;
  }
}

TEST(KeptReport, NamesTheFileThatCannotBeRead) {
  const OwnFolder folder;
  std::ofstream(folder / "old.json") << "{";
  for (const std::string name : {"old.json", "missing.json"}) {
    const Refusal refusal = refusal_of([&] { (void)read_kept_report(folder / name); });
    EXPECT_EQ(refusal.blame, Blame::usage);
    EXPECT_TRUE(refusal.says("earlier report " + (folder / name).string())) << refusal.message;
  }
}

}  // namespace
}  // namespace attest::kept_report_test
