// Goal: names, globs and libraries stand beside each other in one command.
#include "harness/subjects/choice.hpp"

#include <gtest/gtest.h>

#include "harness/subjects/catalogue.hpp"
#include "tests/core/refusal.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::choice_test {
namespace {

std::vector<std::string> names(const std::vector<std::string>& specs) {
  std::vector<std::string> all;
  const ChosenSubjects chosen = choose_subjects(specs, {false, built_worker()});
  for (const Subject* subject : chosen.subjects) all.push_back(subject->name());
  return all;
}

TEST(Choice, TakesBundledSubjectsAsTheCatalogueDoes) {
  EXPECT_EQ(names({}).size(), resolve_subjects({}).size());
  EXPECT_EQ(names({"plain"}), std::vector<std::string>{"plain"});
  EXPECT_EQ(refusal_of([] { (void)names({"plian"}); }).blame, Blame::usage);
}

TEST(Choice, PutsPluginsBehindThem) {
  const std::string library = built_plugin("attention");
  const std::string whole = library + "#attention";
  EXPECT_EQ(names({library}), std::vector<std::string>{whole});
  EXPECT_EQ(names({library, "plain", whole}), (std::vector<std::string>{"plain", whole}));
}

TEST(Choice, AsksForANameWhereALibraryHasSeveralSubjects) {
  const Refusal refusal = refusal_of([] { (void)names({built_plugin("several")}); });
  EXPECT_EQ(refusal.blame, Blame::usage);
  EXPECT_TRUE(refusal.says("has several subjects; name one of")) << refusal.message;
  EXPECT_TRUE(refusal.says("several.so#computes")) << refusal.message;
  EXPECT_EQ(names({built_plugin("several") + "#computes"}).size(), 1U);
}

}  // namespace
}  // namespace attest::choice_test
