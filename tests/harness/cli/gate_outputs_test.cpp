// Goal: one run of the program leaves what every kind of gate reads, and refuses at once what it
// could not write or compare at the end.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/tensor.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/parsed_xml.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::gate_outputs_test {
namespace {

using Json = nlohmann::json;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> check(const std::string& subject, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"check", "--subject", subject, "--cases", "6"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(GateOutputs, WritesEveryKindInOneRun) {
  const Attest attest;
  const Ran ran =
      attest.run(check("canary/tile-softmax", {"--json", "r.json", "--jsonl", "r.jsonl", "--junit",
                                               "r.xml", "--markdown", "r.md"}));
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  const Json json = Json::parse(text_of(attest.folder() / "r.json"));
  const ParsedXml xml = parse_xml(text_of(attest.folder() / "r.xml"));
  ASSERT_NE(xml.root, nullptr) << xml.error;
  EXPECT_GE(std::stoul(xml.root->at("failures")), json.at("failures").size());
  EXPECT_TRUE(holds(text_of(attest.folder() / "r.md"), "## attest check: exit status 1"));
  const std::vector<std::string> lines = lines_of(text_of(attest.folder() / "r.jsonl"));
  const Json& cases = json.at("cases");
  Index fresh = 0;
  for (const auto& [format, count] : cases.at("fresh").items()) fresh += count.get<Index>();
  EXPECT_EQ(static_cast<Index>(lines.size()),
            cases.at("goldens").get<Index>() + cases.at("counterexamples").get<Index>() + fresh);
  for (const std::string& line : lines) EXPECT_EQ(Json::parse(line).at("schema"), "attest.case/1");
}

TEST(GateOutputs, StreamsALineWhileTheRunGoesOn) {
  const Attest attest;
  const Ran ran = attest.paste(
      "PATH=$PATH:/usr/bin:/bin; attest check --subject plain --cases 1000000 --jsonl r.jsonl "
      ">page & "
      "n=0; while [ $(cat r.jsonl 2>/dev/null | wc -l) -lt 5 ] && [ $n -lt 600 ]; do n=$((n+1)); "
      "sleep "
      "0.1; "
      "done; head -n 5 r.jsonl; kill -9 $!; wait");
  const std::vector<std::string> lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 5U) << ran.err;
  for (const std::string& line : lines) EXPECT_EQ(Json::parse(line).at("n"), &line - &lines[0]);
}

TEST(GateOutputs, MarksAndSummarisesForGitHub) {
  Attest attest;
  std::ofstream(attest.folder() / "summary.md") << "before\n";
  attest.set("GITHUB_STEP_SUMMARY", (attest.folder() / "summary.md").string());
  const Ran ran = attest.run(check("canary/tile-softmax", {"--github"}));
  EXPECT_EQ(ran.status, 1) << ran.err;
  int marks = 0;
  for (const std::string& line : lines_of(ran.out)) marks += line.starts_with("::error title=");
  EXPECT_GE(marks, 1) << ran.out;
  EXPECT_LE(marks, 9) << ran.out;
  const std::string summary = text_of(attest.folder() / "summary.md");
  EXPECT_TRUE(summary.starts_with("before\n## attest check")) << summary;
  EXPECT_FALSE(holds(attest.run(check("canary/tile-softmax", {})).out, "::error"));
}

TEST(GateOutputs, KeepsTheSummaryOfAStepUnderOneMebibyte) {
  Attest attest;
  const std::filesystem::path summary = attest.folder() / "summary.md";
  attest.set("GITHUB_STEP_SUMMARY", summary.string());
  for (const std::size_t used :
       {std::size_t{1040000}, std::size_t{1047000}, std::size_t{1 << 20}}) {
    std::ofstream(summary, std::ios::trunc) << std::string(used, 'x');
    const Ran ran = attest.run(check("canary/tile-softmax", {"--github"}));
    EXPECT_EQ(ran.status, 1);
    const auto now = std::filesystem::file_size(summary);
    EXPECT_LE(now, std::max<std::size_t>(used, (1 << 20) - 1));
    EXPECT_EQ(now == used, holds(ran.err, "is full")) << used << ran.err;
  }
}

TEST(GateOutputs, ComparesWithAnEarlierReport) {
  const Attest attest;
  ASSERT_EQ(attest.run(check("plain", {"--json", "old.json"})).status, 0);
  const Ran same = attest.run(check("plain", {"--against", "old.json", "--json", "new.json"}));
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(holds(same.out, "against old.json (tier smoke, seed 1):")) << same.out;
  Json against = Json::parse(text_of(attest.folder() / "new.json")).at("against");
  EXPECT_GT(against.at("same_cases").get<Index>(), 6);
  EXPECT_EQ(against.at("same_bits"), against.at("same_cases"));
  EXPECT_TRUE(against.at("worst_ratios").empty());
  const Ran other =
      attest.run(check("variant/plain-fused", {"--against", "old.json", "--json", "new.json"}));
  EXPECT_EQ(other.status, 0) << other.err;
  against = Json::parse(text_of(attest.folder() / "new.json")).at("against");
  EXPECT_FALSE(against.at("new_rows").empty());
  EXPECT_FALSE(against.at("vanished_rows").empty());
  EXPECT_FALSE(Json::parse(text_of(attest.folder() / "old.json")).contains("against"));
}

TEST(GateOutputs, RefusesBeforeTheRunWhatCannotBeDoneAfterIt) {
  const Attest attest;
  std::ofstream(attest.folder() / "bad.json") << "{\"schema\":\"attest.report/9\"}";
  for (const std::string option : {"--json", "--jsonl", "--junit", "--markdown"}) {
    const Ran ran = attest.run(check("plain", {option, "no/such/folder/file"}));
    EXPECT_EQ(ran.status, 2) << option << ran.err;
    EXPECT_TRUE(holds(ran.err, "no/such/folder/file")) << ran.err;
    EXPECT_EQ(ran.out, "") << option;
  }
  for (const std::string file : {"missing.json", "bad.json"}) {
    const Ran ran = attest.run(check("plain", {"--against", file}));
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_TRUE(holds(ran.err, "earlier report " + file)) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
}

TEST(GateOutputs, TellsOfCanariesInJUnit) {
  const Attest attest;
  const Ran ran =
      attest.run({"canaries", "--subject", "canary/tile-softmax", "--junit", "canaries.xml"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const ParsedXml xml = parse_xml(text_of(attest.folder() / "canaries.xml"));
  ASSERT_NE(xml.root, nullptr) << xml.error;
  EXPECT_EQ(xml.root->at("tests"), "2");
  EXPECT_EQ(xml.root->at("failures"), "0");
}

}  // namespace
}  // namespace attest::gate_outputs_test
