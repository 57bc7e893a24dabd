// Goal: what runs in a worker reaches no file, no network and no other process, and still has what
// a kernel needs. The attempts are those of libraries/confined.c.
#include "harness/subjects/isolation/sandbox.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/case.hpp"
#include "properties/execution.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::sandbox_test {
namespace {

TEST(Sandbox, LeavesAKernelWhatItNeedsAndNothingElse) {
  const OwnFolder folder;
  std::ofstream(folder / "file") << "as it was";
  setenv("CONFINED_FOLDER", folder.path().c_str(), 1);
  const LoadedPlugins loaded = load_plugins(built_plugin("confined"), built_worker());
  if (!loaded.lacking.empty()) GTEST_SKIP() << "this system has no " << loaded.lacking;
  const Problem problem;
  const RunOutcome outcome =
      execute(*loaded.subjects.at(0).subject, problem, zero_inputs(problem), {Unit::fp32_seq})
          .outcome;
  unsetenv("CONFINED_FOLDER");
#if defined(__SANITIZE_ADDRESS__)  // has no limit of addresses
  EXPECT_NE(outcome.detail.find("a terabyte;"), std::string::npos);
#else
  EXPECT_EQ(outcome.kind, RunOutcome::Kind::ran) << outcome.detail;
#endif
  std::ifstream file(folder / "file");
  std::string text;
  std::getline(file, text);
  EXPECT_EQ(text, "as it was");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace attest::sandbox_test
