// Goal: `attest plan` names the kernel, says why, and counts what tiling promises; the sizes that
// papers quote come out of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::plan_command_test {
namespace {

std::string problem(const std::string& heads, const std::string& n_q, const std::string& n_k,
                    const std::string& right = "inf") {
  return "attest1:b=1;hq=" + heads + ";hk=" + heads + ";nq=" + n_q + ";nk=" + n_k +
         ";dqk=64;dv=64;in=f16;out=f16;scale=0x1p-3;left=inf;right=" + right + ";align=br;pass=fwd";
}

TEST(PlanCommand, PrintsTheChoiceAndItsCounts) {
  const Attest attest;
  const Ran ran = attest.run({"plan", problem("2", "1024", "1000", "0")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(line_beginning(ran.out, "path"), "path     split");
  EXPECT_EQ(line_beginning(ran.out, "because"),
            "because  32 tiles of queries, fewer than 128 blocks: 4 parts of the keys fill the "
            "machine");
  // Row i sees max(0, i - 23) keys: 1 + ... + 1000 of each head.
  EXPECT_EQ(line_beginning(ran.out, "scores"), "scores   2048000, 1001000 of them live");
  EXPECT_EQ(line_beginning(ran.out, "blocks"), "blocks   128");
  EXPECT_EQ(line_beginning(ran.out, "parts"), "parts    4 of 256 keys");
}

TEST(PlanCommand, CountsTheTilesOfThePublishedFigures) {
  const Attest attest;
  const Ran ran = attest.run(
      {"plan", problem("16", "4096", "4096"), "--json", "--tile-q", "128", "--tile-k", "128"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["schema"], "attest.plan/1");
  EXPECT_EQ(json["problem"], problem("16", "4096", "4096"));
  EXPECT_EQ(json["path"], "tiled");
  EXPECT_EQ(json["scores"].get<long>() * 2, 512L << 20);  // bytes of 16-bit scores of 16 heads
  EXPECT_EQ(json["query_tiles"], 16 * 32);
  EXPECT_EQ(json["tiles"], 16 * 32 * 32);  // 32 blocks of keys for each
  EXPECT_EQ(json["live_tiles"], json["tiles"]);
  EXPECT_EQ(json["parts"], 1);

  const auto causal =
      nlohmann::json::parse(attest
                                .run({"plan", problem("1", "4096", "4096", "0"), "--json",
                                      "--tile-q", "128", "--tile-k", "128"})
                                .out);
  EXPECT_EQ(causal["live_tiles"], 32 * 33 / 2);
  EXPECT_EQ(causal["live_scores"], 4096L * 4097 / 2);
}

TEST(PlanCommand, CountsTilesOfThePackedRowsOfADecode) {
  const Attest attest;
  std::string eight = problem("8", "1", "4096");
  eight.replace(eight.find("hk=8"), 4, "hk=1");
  const Ran ran = attest.run({"plan", eight});
  EXPECT_EQ(line_beginning(ran.out, "path"), "path     decode") << ran.err;
  EXPECT_EQ(line_beginning(ran.out, "tiles"),
            "tiles    256 of 16 x 16, 256 of them live; 1 of queries");
}

TEST(PlanCommand, NamesTiledForEveryBackward) {
  const Attest attest;
  std::string one = problem("8", "1", "4096");
  one.replace(one.find("pass=fwd"), 8, "pass=bwd");
  const Ran ran = attest.run({"plan", one});
  EXPECT_EQ(line_beginning(ran.out, "path"), "path     tiled") << ran.err;
  EXPECT_EQ(line_beginning(ran.out, "because"),
            "because  pass=bwd: of all paths tiled alone has a backward");
}

TEST(PlanCommand, RefusesATileOfNothing) {
  const Attest attest;
  for (const char* option : {"--tile-q", "--tile-k"}) {
    for (const char* size : {"0", "-1", "x"}) {
      const Ran ran = attest.run({"plan", problem("1", "4", "4"), option, size});
      EXPECT_EQ(ran.status, 2) << option << ' ' << size;
      EXPECT_TRUE(holds(ran.err, option)) << ran.err;
    }
  }
  EXPECT_EQ(attest.run({"plan", problem("1", "4", "4"), "--tile-q", "1"}).status, 0);
  EXPECT_EQ(attest.run({"plan", "attest1:b=1"}).status, 2);
  EXPECT_EQ(attest.run({"plan"}).status, 2);
}

TEST(PlanCommand, TakesTheProblemOfACase) {
  const Attest attest;
  const std::string p = problem("1", "70", "40");
  const Ran ran = attest.run({"plan", p});
  EXPECT_EQ(attest.run({"plan", p + ";family=F7;seed=3"}).out, ran.out);
  EXPECT_EQ(attest.run({"plan", p + ";data=sha256:" + std::string(64, 'a')}).out, ran.out);
  EXPECT_EQ(attest.run({"plan", p + ";family=F7"}).status, 2);
  EXPECT_EQ(attest.run({"plan", p + ";sed=3"}).status, 2);
}

TEST(PlanCommand, SaysWhyNoKernelTakesAProblem) {
  const Attest attest;
  std::string wide = problem("1", "40", "40");
  wide.replace(wide.find("dqk=64"), 6, "dqk=257");
  const Ran ran = attest.run({"plan", wide});
  EXPECT_EQ(ran.status, 5);
  EXPECT_TRUE(holds(ran.out, "dqk up to 256, not 257")) << ran.out;
}

}  // namespace
}  // namespace attest::plan_command_test
