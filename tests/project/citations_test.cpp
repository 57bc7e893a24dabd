// Goal: what the sources cite of docs/error-analysis.md is there, and what is numbered there
// carries some code.
#include "tests/project/citations.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/project/project_files.hpp"

namespace attest::project {
namespace {

using Results = std::set<std::string>;

TEST(CitationRules, FindLabelsInBoldAndInHeadings) {
  EXPECT_EQ(results_labelled("# Title\n**Theorem 3** (sums). By **Lemma 2.** text Lemma 9\n"
                             "### Lemma 14 - rounding\n**Definition 1.2 (row).**\n**bold 3**\n"),
            (Results{"Theorem 3", "Lemma 2", "Lemma 14", "Definition 1.2"}));
}

TEST(CitationRules, FindCitationsInCommentsAndStrings) {
  EXPECT_EQ(results_cited("// error-analysis.md, Theorem 3.\n"
                          "const char* s = \"error-analysis.md, Lemma 2\";\n"
                          "// (docs/error-analysis.md,\n  //   Lemma 6). More.\n"
                          "// see error-analysis.md, section 3, and Theorem 7\n"),
            (Results{"Theorem 3", "Lemma 2", "Lemma 6"}));
}

TEST(CitationRules, FindEachNumberOfAList) {
  EXPECT_EQ(results_cited("// error-analysis.md, Lemmas 2, 5 and 6\n"),
            (Results{"Lemma 2", "Lemma 5", "Lemma 6"}));
  EXPECT_EQ(results_cited("// error-analysis.md, Theorem 3 and\n// Lemma 4, which\n"),
            (Results{"Theorem 3", "Lemma 4"}));
}

// Results cited by the sources of layers, and a file that cites each.
std::map<std::string, std::string> cited_by_the_project() {
  std::map<std::string, std::string> cited;
  for (const ProjectFile& file : project_files()) {
    if (!is_cpp(file.path) || is_below(file.path, "tests")) continue;
    for (const std::string& result : results_cited(file.text)) cited.emplace(result, file.path);
  }
  return cited;
}

TEST(Citations, NameResultsThatTheErrorAnalysisHolds) {
  const Results labelled = results_labelled(text_of("docs/error-analysis.md"));
  std::vector<std::string> missing;
  for (const auto& [result, path] : cited_by_the_project()) {
    if (!labelled.contains(result)) missing.push_back(path + " cites " + result);
  }
  EXPECT_TRUE(missing.empty()) << lines(missing);
}

TEST(Citations, LeaveNoNumberedResultWithoutCode) {
  const auto cited = cited_by_the_project();
  const Results labelled = results_labelled(text_of("docs/error-analysis.md"));
  EXPECT_FALSE(labelled.empty()) << "docs/error-analysis.md labels no result";
  std::vector<std::string> idle;
  for (const std::string& result : labelled) {
    if (!cited.contains(result)) idle.push_back(result + " is cited by no source");
  }
  EXPECT_TRUE(idle.empty()) << lines(idle);
}

}  // namespace
}  // namespace attest::project
