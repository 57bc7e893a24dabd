// Goal: the program of a failure compiles with the command at its top, calls the kernel, and sees
// the rejection: by number, by class, by the run's own end, by a law that compares calls.
#include "harness/bundle/reproducer.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/bundle/failing.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::reproducer_test {
namespace {

class Reproducer : public testing::Test {
 protected:
  [[nodiscard]] std::string program_of(const Failure& failure) const {
    const auto text =
        reproducer(failure, inputs_of(failure.shrunk.smallest, folder_ / "state"), {});
    EXPECT_TRUE(text.has_value());
    return text.value_or("");
  }

  // Builds it as its own first lines say, and runs it.
  Ran built_and_run(const std::string& program) {
    std::ofstream(folder_ / "reproduce.cpp") << program;
    std::string build;
    for (const std::string& line : lines_of(program)) {
      if (line.starts_with("//   ")) build += line.substr(5) + "\n";
    }
    const Ran compiled = run_process({"/bin/sh", "-c", build}, {folder_.path(), kPath, false});
    EXPECT_EQ(compiled.status, 0) << build << "\n" << compiled.err;
    return run_process({(folder_ / "reproduce").string()}, {folder_.path(), kPath, false});
  }

  const std::vector<std::pair<std::string, std::string>> kPath = {
      {"PATH", "/usr/local/bin:/usr/bin:/bin"}};
  OwnFolder folder_;
};

// By a canary, and by a kernel of the machine, on a unit of its own.
TEST_F(Reproducer, OfACanaryRejectsTheElementWithoutOracleAndJudge) {
  const Failure failure =
      failure_of("canary/m11-top-left-causal", kCausal, "accuracy", folder_ / "state");
  const std::string program = program_of(failure);
  EXPECT_FALSE(holds(program, "oracle/")) << program;
  const Ran ran = built_and_run(program);
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "REJECTED: the error exceeds the budget")) << ran.out;
  EXPECT_TRUE(holds(line_beginning(ran.out, "exact in"), "[0x")) << ran.out;
  EXPECT_TRUE(holds(ran.out, "\n  row sum  ")) << ran.out;
}

TEST_F(Reproducer, OfAKernelOfTheMachineSaysHowItsRunEnded) {
  const Failure failure =
      failure_of("machine-fault/missing-barrier", kSeveralTiles, std::string(kRunItself),
                 folder_ / "state", std::chrono::seconds(20), Unit::h100);
  const Ran ran = built_and_run(program_of(failure));
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "REJECTED: ")) << ran.out;
  EXPECT_TRUE(holds(ran.out, "race")) << ran.out;
}

TEST_F(Reproducer, OfALawThatComparesCallsAsksTheLaw) {
  const Failure failure =
      failure_of("canary/m05-poisoned-v-tail", kCausal, "containment", folder_ / "state");
  const std::string program = program_of(failure);
  const Ran ran = built_and_run(program);
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "REJECTED by containment")) << ran.out;
}

// Only the first line of the recipe names a place of this machine.
TEST_F(Reproducer, IsBuiltFromWhereverTheSourcesAre) {
  for (const bool with_laws : {false, true}) {
    const BuildRecipe recipe = build_recipe(with_laws);
    EXPECT_TRUE(holds(recipe.places, "BUILD=")) << recipe.places;
    EXPECT_TRUE(holds(recipe.command, "-I \"$ATTEST\" reproduce.cpp")) << recipe.command;
    EXPECT_TRUE(holds(recipe.command, " \"$BUILD\"/core/")) << recipe.command;
    EXPECT_EQ(holds(recipe.command, "\"$BUILD\"/judge/"), with_laws) << recipe.command;
    const std::string build = recipe.places.substr(recipe.places.find("BUILD=") + 6);
    EXPECT_FALSE(holds(recipe.command, build)) << recipe.command;
  }
}

// The texts alone, for what would take another compilation.
TEST_F(Reproducer, OfAGradientCallsTheBackwardOnWhatTheForwardStored) {
  const Failure failure = failure_of("canary/m31-lse-gradient-ignored", kBackward,
                                     "gradient_accuracy", folder_ / "state");
  const std::string program = program_of(failure);
  EXPECT_TRUE(holds(program, "run_backward")) << program;
  EXPECT_TRUE(holds(program, "o_bits = {0x")) << program;
  EXPECT_FALSE(holds(program, "@"));
}

TEST_F(Reproducer, OfALawThatChangesTheCaseHoldsTheCallThatItJudged) {
  const Failure failure =
      failure_of("canary/m14-unmasked-length-tail",
                 "attest1:b=1;hq=1;hk=1;nq=3;nk=9;dqk=2;dv=2;in=f16;out=f16;scale=0x1p-1;left=inf;"
                 "right=inf;align=tl;lk=7;pass=fwd;family=F0;seed=4",
                 "constant_v", folder_ / "state");
  const std::string program = program_of(failure);
  EXPECT_TRUE(holds(program, "(V = 1)")) << program;
  EXPECT_TRUE(holds(program, "kV = {0x3c00")) << program;
}

TEST_F(Reproducer, OfADeclaredValueNamesTheBitsThatAreWrong) {
  const Failure failure = failure_of(
      "canary/m01-no-dead-guard",
      "attest1:b=1;hq=1;hk=1;nq=1;nk=0;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
      "align=tl;pass=fwd;family=F0;seed=4",
      "dead_rows", folder_ / "state");
  const std::string program = program_of(failure);
  EXPECT_TRUE(holds(program, "bits == rejected_bits")) << program;
}

}  // namespace
}  // namespace attest::reproducer_test
