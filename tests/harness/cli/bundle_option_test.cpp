// Goal: `--bundle` leaves a folder of each shrunk failure that replays from inside and from
// outside, and takes nothing's place; the time for a failure is the user's to say.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::bundle_option_test {
namespace {

namespace fs = std::filesystem;

const std::string kSubject = "canary/m11-top-left-causal";
const std::string kFolder = "canary-m11-top-left-causal.accuracy.f16.fp32-seq";
const std::string kCase =
    "attest1:b=1;hq=1;hk=1;nq=5;nk=9;dqk=2;dv=3;in=f16;out=f16;scale=0x1p+0;left=inf;right=0;"
    "align=br;pass=fwd;family=F0;seed=1";

TEST(BundleOption, OfACheckLeavesAFolderThatReplaysFromInside) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", kSubject, "--cases", "8", "--filter",
                              "law=accuracy;in=f16", "--bundle", "out"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "\nbundle  out/" + kFolder + "\n")) << ran.out;
  EXPECT_TRUE(holds(line_beginning(ran.out, "  needs"), "align=br (not tl)")) << ran.out;
  const Ran again = attest.paste("cd out/" + kFolder + " && attest replay .");
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  EXPECT_TRUE(again.out.starts_with(kSubject + " on fp32-seq\n")) << again.out;
  // Options count more than what the bundle says.
  EXPECT_EQ(attest.run({"replay", "out/" + kFolder, "--subject", "plain"}).status, 0);
}

TEST(BundleOption, OfAReplayShrinksTheCaseFirst) {
  const Attest attest;
  const Ran ran = attest.run(
      {"replay", kCase, "--subject", kSubject, "--bundle", "out", "--shrink-time", "20s"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  std::ifstream text((attest.folder() / "out") / kFolder / "case.txt");
  const std::string line{std::istreambuf_iterator<char>(text), {}};
  EXPECT_TRUE(holds(line, ";dqk=1;dv=1;")) << line;
  EXPECT_EQ(attest.run({"replay", "out/" + kFolder}).status, 1);
}

TEST(BundleOption, LeavesNothingWhereNothingIsRejected) {
  const Attest attest;
  const Ran ran = attest.run({"replay", kCase, "--subject", "plain", "--bundle", "out"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "no bundle: nothing was rejected")) << ran.out;
  EXPECT_FALSE(fs::exists(attest.folder() / "out"));
}

TEST(BundleOption, RefusesAFolderWithOtherContentBeforeTheRun) {
  const Attest attest;
  fs::create_directories(attest.folder() / "out");
  std::ofstream(attest.folder() / "out" / "notes.txt") << "mine";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", "--subject", kSubject, "--cases", "2"},
        std::vector<std::string>{"replay", kCase, "--subject", kSubject}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--bundle", "out"});
    const Ran ran = attest.run(arguments);
    EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
    EXPECT_TRUE(holds(ran.err, "is not empty")) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
}

TEST(BundleOption, OfTimeIsATime) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--cases", "1", "--shrink-time", "soon"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(holds(ran.err, "--shrink-time 'soon' is not a time")) << ran.err;
  EXPECT_EQ(attest.run({"replay", "no-such-folder"}).status, 2);
}

}  // namespace
}  // namespace attest::bundle_option_test
