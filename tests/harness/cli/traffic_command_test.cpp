// Goal: the program counts bytes beside formulas, and the page in docs is what it prints today.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::traffic_command_test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* kProblem =
    "attest1:b=1;hq=1;hk=1;nq=70;nk=40;dqk=8;dv=8;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
    "align=br;pass=";

TEST(TrafficCommand, PrintsThePageThatStandsInTheDocs) {
  const Attest attest;
  const Ran ran = attest.run({"traffic", "--sweep"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, text_of(ATTEST_SOURCE_DIR "/docs/traffic-sweep.md"))
      << "attest traffic --sweep > docs/traffic-sweep.md";
}

TEST(TrafficCommand, ShowsEachTensorCountedAndByFormula) {
  const Attest attest;
  const Ran ran = attest.run({"traffic", std::string(kProblem) + "bwd", "--subject", "tiled",
                              "--subject", "materialising", "--json", "traffic.json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(holds(ran.out, "forward of tiled\n")) << ran.out;
  EXPECT_TRUE(holds(ran.out, "backward of tiled\n")) << ran.out;
  // Two tiles of queries read 40 keys of 8 elements each.
  EXPECT_EQ(line_beginning(ran.out, "k "), "k       1280  1280        0        0") << ran.out;
  EXPECT_TRUE(holds(ran.out, "counts and formulas agree\n"));
  EXPECT_TRUE(holds(ran.out, "saved by a forward for the backward: 1400 bytes of O and LSE\n"));
  EXPECT_TRUE(holds(ran.out, "not counted: materialising: "));
  const auto json = nlohmann::json::parse(text_of(attest.folder() / "traffic.json"));
  EXPECT_EQ(json["schema"], "attest.traffic/1");
  const auto& row = json["problems"][0]["subjects"][0];
  EXPECT_EQ(row["names"][0], "tiled");
  EXPECT_EQ(row["forward"]["counted"]["tensors"]["k"]["read"], 1280);
  EXPECT_EQ(row["forward"]["agree"], true);
  EXPECT_EQ(row["backward"]["formula"], row["backward"]["counted"]);
}

TEST(TrafficCommand, TakesTheProblemOfACase) {
  const Attest attest;
  const auto page = [&](const std::string& text) {
    return attest.run({"traffic", text, "--subject", "tiled"}).out;
  };
  const std::string p = std::string(kProblem) + "fwd";
  EXPECT_EQ(page(p + ";family=F0;seed=1"), page(p));
}

TEST(TrafficCommand, GivesStandardOutputToProgramsOnRequest) {
  const Attest attest;
  const Ran ran =
      attest.run({"traffic", std::string(kProblem) + "fwd", "--subject", "tiled", "--json", "-"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("schema"), "attest.traffic/1") << ran.out;
  EXPECT_TRUE(holds(ran.err, "counts and formulas agree\n")) << ran.err;
}

TEST(TrafficCommand, EndsWithFourWhereASubjectMovesWhatNoFormulaSays) {
  const Attest attest;
  const Ran ran =
      attest.run({"traffic", std::string(kProblem) + "fwd", "--subject", "canary/p-spilled"});
  EXPECT_EQ(ran.status, 4) << ran.out;
  EXPECT_TRUE(holds(ran.out, "no formula\n")) << ran.out;
}

TEST(TrafficCommand, EndsWithFiveWhereNobodyCounts) {
  const Attest attest;
  const Ran ran = attest.run({"traffic", std::string(kProblem) + "fwd", "--subject", "plain"});
  EXPECT_EQ(ran.status, 5) << ran.err;
  EXPECT_TRUE(holds(ran.out, "not counted: plain: what runs it counts no traffic\n")) << ran.out;
}

TEST(TrafficCommand, TakesAProblemOrTheSweep) {
  const Attest attest;
  EXPECT_EQ(attest.run({"traffic"}).status, 2);
  EXPECT_EQ(attest.run({"traffic", std::string(kProblem) + "fwd", "--sweep"}).status, 2);
  EXPECT_EQ(attest.run({"traffic", "attest1:b=1"}).status, 2);
}

}  // namespace
}  // namespace attest::traffic_command_test
