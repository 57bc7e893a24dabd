// Goal: goldens can be verified, read and made anew by the program alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "fixtures/golden_cases.hpp"
#include "harness/campaign/goldens.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::golden_command_test {
namespace {

TEST(GoldenCommand, VerifiesTheStoredOnes) {
  const Attest attest;
  const Ran ran = attest.run({"golden", "verify"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, std::to_string(golden_cases().size()) +
                         " goldens: digests right, answers confirmed, flags kept\n");
}

TEST(GoldenCommand, ShowsOneOrAll) {
  const Attest attest;
  const std::string all = attest.run({"golden", "show"}).out;
  for (const GoldenCase& golden : golden_cases()) {
    EXPECT_TRUE(holds(all, std::string(golden.name) + "\n  hunts   " + std::string(golden.hunts)));
    EXPECT_TRUE(holds(all, "  case    " + std::string(golden.problem) + ";data="));
    for (const std::string_view flag : golden.flags) EXPECT_TRUE(holds(all, std::string(flag)));
  }
  for (const std::string name : {"backward-one-key", "one-key", "split-empty-entry"}) {
    const std::string one = attest.run({"golden", "show", name}).out;
    EXPECT_TRUE(one.starts_with(name + "\n  hunts   ")) << one;
    EXPECT_EQ(std::ranges::count(one, '\n'), 5) << one;
    EXPECT_TRUE(holds(all, one));
  }
}

TEST(GoldenCommand, MakesThemAnewWhereItIsTold) {
  const Attest attest;
  EXPECT_EQ(attest.run({"golden", "make", "--folder", "made"}).status, 0);
  EXPECT_EQ(attest.run({"golden", "verify", "--folder", "made"}).status, 0);
  EXPECT_EQ(load_goldens(attest.folder() / "made").size(), golden_cases().size());
}

}  // namespace
}  // namespace attest::golden_command_test
