// Goal: what belongs to the running program is found beside it and above it, in a build tree as in
// an installed one (which tests/install moves about).
#include "harness/subjects/program_files.hpp"

#include <gtest/gtest.h>

namespace attest::program_files_test {
namespace {

namespace fs = std::filesystem;

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

TEST(CompanionProgram, LiesBesideTheRunningOne) {
  const std::string own = own_program().filename();
  EXPECT_EQ(companion_program(own), own_program());
}

TEST(CompanionProgram, ThatIsNowhereIsMissedBesideTheRunningOne) {
  EXPECT_EQ(companion_program("attest-nowhere"), own_program().parent_path() / "attest-nowhere");
}

TEST(CompanionData, OfABuildTreeLeadsIntoTheSources) {
  EXPECT_TRUE(fs::equivalent(companion_data("golden"), ATTEST_SOURCE_DIR "/fixtures/golden"));
  EXPECT_TRUE(fs::equivalent(companion_data("counterexamples.txt"),
                             ATTEST_SOURCE_DIR "/properties/counterexamples.txt"));
}

TEST(CompanionData, ThatIsNowhereIsMissedBesideTheRunningOne) {
  EXPECT_EQ(companion_data("nothing"), own_program().parent_path() / "share/attest/nothing");
}

}  // namespace
}  // namespace attest::program_files_test
