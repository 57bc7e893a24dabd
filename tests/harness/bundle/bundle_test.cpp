// Goal: a bundle is a folder of its own with everything in it, never half of one, and never in the
// place of something else.
#include "harness/bundle/bundle.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "fixtures/hdf5_file.hpp"
#include "properties/draw.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/harness/bundle/failing.hpp"
#include "tests/harness/report/text_lines.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::bundle_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

class Bundle : public testing::Test {
 protected:
  [[nodiscard]] BundlePlan plan() const { return {folder_ / "out", folder_ / "state", 5, {}}; }
  OwnFolder folder_;
};

TEST_F(Bundle, HoldsEverythingAboutAFailure) {
  const Failure failure =
      failure_of("canary/m11-top-left-causal", kCausal, "accuracy", folder_ / "state");
  const fs::path bundle = write_bundle(failure, plan());
  EXPECT_EQ(bundle, folder_ / "out" / "canary-m11-top-left-causal.accuracy.f16.fp32-seq");
  EXPECT_EQ(names_in(folder_ / "out").size(), 1u);  // and nothing half done
  EXPECT_EQ(names_in(bundle),
            (std::set<std::string>{"README.txt", "bundle.h5", "case.txt", "environment.txt",
                                   "report.txt", "reproduce.cpp"}));
  EXPECT_EQ(text_of(bundle / "case.txt"), failure.smallest_text + "\n");
  EXPECT_TRUE(text_of(bundle / "report.txt").starts_with("REJECT  canary/m11-top-left-causal"));
  const std::string readme = text_of(bundle / "README.txt");
  EXPECT_TRUE(holds(readme, "\n  attest replay .\n")) << readme;
  EXPECT_TRUE(holds(readme, "attest replay '" + failure.smallest_text + "'")) << readme;
  const std::string environment = text_of(bundle / "environment.txt");
  EXPECT_TRUE(holds(line_beginning(environment, "seed"), " 5")) << environment;
  EXPECT_TRUE(holds(line_beginning(environment, "schedule seed"), " 0")) << environment;
  EXPECT_TRUE(holds(line_beginning(environment, "numerics"), "exponent=")) << environment;
}

TEST_F(Bundle, IsReadAgainAsTheSameRun) {
  const Failure failure =
      failure_of("canary/m11-top-left-causal", kCausal, "accuracy", folder_ / "state");
  const BundledRun run = read_bundle(write_bundle(failure, plan()));
  EXPECT_EQ(run.c.problem, failure.shrunk.smallest.problem);
  EXPECT_EQ(inputs_of(run.c, {}), inputs_of(failure.shrunk.smallest, {}));
  EXPECT_EQ(run.subject, "canary/m11-top-left-causal");
  EXPECT_EQ(run.unit, "fp32-seq");
  EXPECT_EQ(run.schedule_seed, "0");
}

// No string holds these values: the bundle does, without the file that the case names.
TEST_F(Bundle, NeedsNoOtherFile) {
  const std::string problem =
      "attest1:b=1;hq=1;hk=1;nq=70;nk=70;dqk=16;dv=16;in=f16;out=f16;scale=0x1p-2;left=inf;right=0;"
      "align=tl;pass=fwd";
  const Case large = parse_case(problem + ";family=F1;seed=9");
  const Case literal{large.problem, materialise(large)};
  const Failure failure = explain_failure(
      literal, std::get<Inputs>(literal.data), bundled("canary/m31-lse-base-2"), {}, "accuracy",
      folder_ / "state", std::chrono::steady_clock::now() - std::chrono::seconds(1));
  ASSERT_TRUE(holds(failure.smallest_text, "data=sha256:")) << failure.smallest_text;
  const fs::path bundle = write_bundle(failure, plan());
  fs::remove_all(folder_ / "state");
  EXPECT_EQ(inputs_of(read_bundle(bundle).c, folder_ / "state"), std::get<Inputs>(literal.data));
}

TEST_F(Bundle, OfASubjectWithoutSourceHereHasNoProgram) {
  const StandIn wrong({.name = "plugin:./libx.so#mine", .spoil = move_by_one});
  const Case c = parse_case(kCausal);
  const Failure failure =
      explain_failure(c, materialise(c), wrong, {}, "accuracy", folder_ / "state",
                      std::chrono::steady_clock::now() + std::chrono::seconds(5));
  const fs::path bundle = write_bundle(failure, plan());
  EXPECT_FALSE(names_in(bundle).contains("reproduce.cpp"));
  EXPECT_TRUE(holds(text_of(bundle / "README.txt"), "There is no reproduce.cpp"));
  EXPECT_EQ(read_bundle(bundle).subject,
            "plugin:" + (fs::current_path() / "libx.so#mine").string());
}

TEST_F(Bundle, TakesNobodysPlace) {
  const Failure failure =
      failure_of("canary/m11-top-left-causal", kCausal, "accuracy", folder_ / "state");
  const fs::path bundle = write_bundle(failure, plan());
  std::ofstream(bundle / "notes.txt") << "mine";
  EXPECT_TRUE(error_of([&] { (void)write_bundle(failure, plan()); }).starts_with("ours: "));
  EXPECT_EQ(text_of(bundle / "notes.txt"), "mine");
  EXPECT_EQ(names_in(folder_ / "out").size(), 1u);
}

TEST_F(Bundle, FoldersAreNewOrEmpty) {
  EXPECT_EQ(error_of([&] { require_bundle_folder(folder_ / "out"); }), "nothing");
  fs::create_directories(folder_ / "out");
  EXPECT_EQ(error_of([&] { require_bundle_folder(folder_ / "out"); }), "nothing");
  std::ofstream(folder_ / "out" / "notes.txt") << "mine";
  EXPECT_TRUE(error_of([&] {
                require_bundle_folder(folder_ / "out");
              }).starts_with("usage: bundle folder"));
  EXPECT_TRUE(error_of([&] {
                require_bundle_folder(folder_ / "out" / "notes.txt");
              }).ends_with("is no folder"));
}

TEST_F(Bundle, ThatIsNoneIsRefused) {
  EXPECT_TRUE(error_of([&] { (void)read_bundle(folder_.path()); }).starts_with("usage: "));
}

}  // namespace
}  // namespace attest::bundle_test
