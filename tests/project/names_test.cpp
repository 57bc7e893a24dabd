// Goal: no file and no identifier of the project is named with a word that hides a decision. The
// rule is tried on planted names first.
#include "tests/project/names.hpp"

#include <gtest/gtest.h>

namespace attest::project {
namespace {

std::vector<std::string> violations(const std::string& text) {
  return name_violations({"core/planted.cpp", text});
}

TEST(NameRules, TakeNamesApartIntoWords) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of("first_live_key"), (Words{"first", "live", "key"}));
  EXPECT_EQ(words_of("kFirstLiveKey"), (Words{"k", "first", "live", "key"}));
  EXPECT_EQ(words_of("HTTPReader2x"), (Words{"http", "reader", "x"}));
  EXPECT_EQ(words_of("ATTEST_EXPECTS"), (Words{"attest", "expects"}));
  EXPECT_EQ(words_of("a/b-c.hpp"), (Words{"a", "b", "c", "hpp"}));
}

TEST(NameRules, SeeABannedWordInAnyPartOfAName) {
  for (const char* name :
       {"tolerance", "kTolerance", "tolerance_", "abs_tolerance", "ReferenceKernel", "expected",
        "GroundTruth", "score_epsilon", "EPSILON", "baselines", "test_util", "StringUtils",
        "utilities", "Helper", "common_part", "misc", "DeviceManager"}) {
    const auto found = violations(std::string("int a;\nint ") + name + ";\n");
    ASSERT_EQ(found.size(), 1u) << name;
    EXPECT_EQ(found[0].substr(0, 19), "core/planted.cpp:2:") << found[0];
  }
}

TEST(NameRules, SeeItInTheNameOfAFile) {
  EXPECT_EQ(name_violations({"core/string_utils.cpp", ""}).size(), 1u);
  EXPECT_EQ(name_violations({"docs/common/plan.md", ""}).size(), 1u);
  EXPECT_EQ(name_violations({"fixtures/reference-3.h5", ""}).size(), 1u);
}

TEST(NameRules, LeaveWordsThatOnlyLookAlike) {
  EXPECT_EQ(lines(violations("int utilization, unexpectedly, dereferenced, uncommonly, permisc;")),
            "");
}

TEST(NameRules, LeaveTextsAndNamesThatAreNotOurs) {
  EXPECT_EQ(
      lines(violations("// the expected value\n/* tolerance */\n"
                       "#include \"common/helper.hpp\"\n"
                       "const char* s = \"epsilon\";\n"
                       "std::reference_wrapper<int> r;\n"
                       "double e = std::numeric_limits<double>::epsilon();\n"
                       "double f = std::numeric_limits<std::common_type_t<A, B>>::epsilon();\n"
                       "using T = std::common_type<int, long>::type;\n")),
      "");
}

TEST(NameRules, DoNotMistakeOurNamesForForeignOnes) {
  EXPECT_EQ(violations("double e = limits<double>::epsilon();\n").size(), 1u);
  EXPECT_EQ(violations("std::vector<Helper> all;\n").size(), 1u);
  EXPECT_EQ(violations("attest::common x;\n").size(), 1u);
}

TEST(Names, OfTheProjectHideNoDecision) {
  std::vector<std::string> found;
  for (const ProjectFile& file : project_files()) {
    for (const auto& violation : name_violations(file)) found.push_back(violation);
  }
  EXPECT_TRUE(found.empty()) << lines(found);
}

}  // namespace
}  // namespace attest::project
