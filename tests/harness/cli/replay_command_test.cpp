// Goal: one case is judged again under every law, with its worst elements, and the status is that
// of a campaign of one.
#include <gtest/gtest.h>

#include "fixtures/data_file.hpp"
#include "properties/draw.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::replay_command_test {
namespace {

const std::string kProblem =
    "attest1:b=1;hq=1;hk=1;nq=5;nk=9;dqk=2;dv=3;in=f16;out=f16;scale=0x1p+0;left=inf;right=0;"
    "align=br;pass=fwd";
const std::string kCase = kProblem + ";family=F0;seed=1";

TEST(ReplayCommand, AcceptsTheHealthyAndShowsHowNearTheyCame) {
  const Attest attest;
  const Ran ran = attest.run({"replay", kCase, "--subject", "plain"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(ran.out.starts_with("plain on fp32-seq\n")) << ran.out;
  EXPECT_TRUE(holds(line_beginning(ran.out, "  accuracy"), "accept"));
  EXPECT_TRUE(holds(ran.out, "  worst o[")) << ran.out;
  EXPECT_TRUE(holds(ran.out, "  worst lse[")) << ran.out;
  EXPECT_TRUE(holds(ran.out, "of 15 judged, 0 without a finite budget")) << ran.out;
  EXPECT_TRUE(holds(ran.out, "  largest    ")) << ran.out;
}

TEST(ReplayCommand, TakesItsOptionsBeforeOrAfterTheCase) {
  const Attest attest;
  EXPECT_EQ(attest.run({"replay", "--subject", "plain", kCase}).status, 0);
  EXPECT_EQ(attest.run({"replay", "--unit", "fp32-seq", "--subject", "plain", kCase}).status, 0);
}

TEST(ReplayCommand, RejectsACanary) {
  const Attest attest;
  const Ran ran = attest.run({"replay", kCase, "--subject", "canary/m11*"});
  EXPECT_EQ(ran.status, 1) << ran.out;
  EXPECT_TRUE(holds(line_beginning(ran.out, "  accuracy"), "REJECT")) << ran.out;
}

// Some rows' weights may be off by a factor: such a row's dQ has no sharp budget, and no key that
// it sees has one for dK and dV.
TEST(ReplayCommand, ShowsNoBudgetOfAKeyWhereARowThatSeesItHasNone) {
  const Attest attest;
  const Ran ran = attest.run(
      {"replay",
       "attest1:b=1;hq=1;hk=1;nq=3;nk=5;dqk=8;dv=4;in=f16;out=f16;scale=0x1p+4;left=inf;right=inf;"
       "align=br;pass=bwd;family=F11;seed=2",
       "--subject", "variant/plain-fused"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const std::string stage = ran.out.substr(ran.out.find("  stage_accuracy"));
  const auto judged = [&](const char* tensor) {
    const std::string line = line_beginning(stage, std::string("  worst ") + tensor + "[");
    return line.substr(line.find("of ") + 3);
  };
  EXPECT_EQ(judged("dq"), "24 judged, 8 without a finite budget");
  EXPECT_EQ(judged("dk"), "40 judged, 40 without a finite budget");
  EXPECT_EQ(judged("dv"), "20 judged, 20 without a finite budget");
}

TEST(ReplayCommand, OfABackwardCaseShowsTheWorstOfEveryOutputInBothViews) {
  const Attest attest;
  std::string backward = kCase;
  backward.replace(backward.find("pass=fwd"), 8, "pass=bwd;glse=yes");
  const Ran ran = attest.run({"replay", backward, "--subject", "plain"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(holds(line_beginning(ran.out, "  accuracy"), "accept")) << ran.out;
  EXPECT_FALSE(holds(ran.out, "  constant_v")) << ran.out;
  for (const char* law : {"  gradient_accuracy", "  stage_accuracy"}) {
    const std::string after = ran.out.substr(ran.out.find(law));
    EXPECT_TRUE(holds(lines_of(after).front(), "accept")) << ran.out;
    const std::string own = after.substr(0, after.find("\n  score_gradient_sum"));
    for (const char* worst :
         {"  worst dq[b=0 h=0 i=", "  worst dk[b=0 h=0 j=", "  worst dv[b=0 h=0 j="}) {
      EXPECT_TRUE(holds(own, worst)) << own;
    }
  }
}

TEST(ReplayCommand, ReadsValuesFromTheFileThatTheCaseNames) {
  const Attest attest;
  const Case c = parse_case(kCase);
  const std::string digest = write_case_data(attest.state(), c.problem, materialise(c));
  const std::string from_file = kProblem + ";data=sha256:" + digest;
  const Ran ran = attest.run({"replay", from_file, "--subject", "plain"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, attest.run({"replay", kCase, "--subject", "plain"}).out);  // to the last digit
  EXPECT_EQ(attest.run({"replay", from_file, "--subject", "canary/m11*"}).status, 1);

  flip_byte(attest.state() / (digest + ".h5"), 100);
  EXPECT_EQ(attest.run({"replay", from_file, "--subject", "plain"}).status, 4);
}

TEST(ReplayCommand, TakesTheScheduleSeedOfAReport) {
  const Attest attest;
  const std::string largest = "18446744073709551615";
  const Ran ran = attest.run({"replay", kCase, "--subject", "plain", "--schedule-seed", largest});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, attest.run({"replay", kCase, "--subject", "plain"}).out);  // plain has none
  for (const char* bad : {"-1", "x", "1x", "18446744073709551616", ""}) {
    EXPECT_EQ(attest.run({"replay", kCase, "--subject", "plain", "--schedule-seed", bad}).status, 2)
        << bad;
  }
  EXPECT_TRUE(holds(attest.run({"replay", "--help"}).out, "--schedule-seed")) << ran.out;
}

TEST(ReplayCommand, TriesTheConfigurationOfAReport) {
  const Attest attest;
  const auto replay = [&](const char* subject, const char* configuration) {
    return attest.run({"replay", kCase, "--subject", subject, "--configuration", configuration});
  };
  const Ran wrong = replay("canary/m12-other-tile-tail", "tile_k=4");
  EXPECT_EQ(wrong.status, 1) << wrong.out << wrong.err;
  EXPECT_TRUE(holds(wrong.out, "(configuration tile_k=4)")) << wrong.out;
  EXPECT_EQ(replay("canary/m12-other-tile-tail", "parts=3").status, 0);
  EXPECT_EQ(replay("plain", "tile_k=4").status, 0);
  const Ran unknown = replay("plain", "tile_k=5");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(holds(unknown.err, "unknown configuration 'tile_k=5'; known: parts=2, parts=3"))
      << unknown.err;
}

TEST(ReplayCommand, OfACaseWithNothingToJudgeDoesNotAccept) {
  const Attest attest;
  std::string none = kCase;
  none.replace(none.find("nq=5;nk=9"), 9, "nq=0;nk=0");
  const Ran ran = attest.run({"replay", none, "--subject", "plain"});
  EXPECT_EQ(ran.status, 5) << ran.out;
}

}  // namespace
}  // namespace attest::replay_command_test
