// Goal: a page for a pull request says the verdict first, fits where it is put, and says what it
// left out to fit.
#include "harness/report/markdown_page.hpp"

#include <gtest/gtest.h>

#include "harness/report/failing_report.hpp"
#include "harness/report/shortcomings.hpp"
#include "tests/harness/report/gate_sample.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::markdown_page_test {
namespace {

std::string page_of(const Campaign& campaign, std::size_t limit = kCommentLimit,
                    const Comparison* comparison = nullptr) {
  return markdown_page({"check", "smoke", 42, exit_status(campaign)}, campaign, comparison, limit);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t sum = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++sum;
  return sum;
}

TEST(MarkdownPage, BeginsWithTheVerdict) {
  const std::string page = page_of(gate_sample());
  EXPECT_TRUE(page.starts_with("## attest check: exit status 3\n\n```text\nREJECTED  ")) << page;
  EXPECT_TRUE(
      page_of(accepted_campaign()).starts_with("## attest check: exit status 0\n\n```text\nACC"));
  EXPECT_TRUE(holds(page, "tier smoke, seed 42"));
}

std::size_t told_in_full(const Campaign& campaign) {
  return told_failures(campaign.failures, {}).size();
}

TEST(MarkdownPage, HoldsEveryRowAndFoldsEveryFailureThatIsToldInFull) {
  const Campaign& campaign = gate_sample();
  const std::string page = page_of(campaign, 1 << 20);
  for (const Failure& failure : campaign.failures) {
    const bool told = failure.beside.empty();
    const std::string words = told ? replay_command(failure) : "\n             " + failure.law;
    EXPECT_TRUE(holds(page, words)) << page;
  }
  EXPECT_EQ(count(page, "\n| plain | "), 4U);
  EXPECT_EQ(count(page, "\n| &lt;wrong> & \"co\" \\| v1.2 | "), 4U) << page;
  EXPECT_EQ(count(page, "<details>"), told_in_full(campaign) + 1);
  EXPECT_EQ(count(page, "<details>"), count(page, "</details>"));
  EXPECT_FALSE(holds(page, "Left out"));
  EXPECT_TRUE(holds(page, "run 1 crashed"));
}

TEST(MarkdownPage, FitsItsLimitAndSaysWhatIsMissing) {
  const Campaign& campaign = gate_sample();
  const std::size_t whole = page_of(campaign, 1 << 20).size();
  for (std::size_t limit = 4000; limit < whole + 600; limit += 500) {
    const std::string page = page_of(campaign, limit);
    EXPECT_LE(page.size(), limit);
    EXPECT_TRUE(page.starts_with("## attest check: exit status 3\n")) << limit;
    EXPECT_EQ(count(page, "<details>"), count(page, "</details>")) << limit;
    const std::size_t reports = count(page, "attest replay '");
    const auto missing = told_in_full(campaign) - reports;
    EXPECT_EQ(holds(page, std::to_string(missing) + " of " +
                              std::to_string(told_in_full(campaign)) + " failing reports"),
              missing > 0)
        << limit << page;
  }
}

TEST(MarkdownPage, StaysShortWhateverIsLong) {
  Campaign campaign = accepted_campaign();
  for (int n = 0; n < 400; ++n) campaign.empty.push_back("family F" + std::to_string(n));
  for (int n = 0; n < 3000; ++n) {
    campaign.tally.subjects[{"subject-" + std::to_string(n), Format::f16}].cases = 1;
  }
  const std::string page = page_of(campaign);
  EXPECT_LE(page.size(), kCommentLimit);
  EXPECT_TRUE(holds(page, "FAILED")) << page.substr(0, 2000);
  EXPECT_TRUE(holds(page, " of 3002 accepted rows")) << page.substr(page.size() - 500);
}

TEST(MarkdownPage, KeepsACodeBlockClosedWhateverItsText) {
  Campaign campaign = accepted_campaign();
  campaign.unrecorded = "```\n````` closes?";
  const std::string page = page_of(campaign);
  EXPECT_EQ(count(page, "``````"), 2U) << page;
}

TEST(MarkdownPage, FoldsTheComparison) {
  Comparison comparison;
  comparison.file = "old.json";
  comparison.new_rows = {"plain f16 h100 fwd"};
  const std::string page = page_of(accepted_campaign(), kCommentLimit, &comparison);
  EXPECT_TRUE(holds(page, "<summary>against old.json</summary>"));
  EXPECT_TRUE(holds(page, "plain f16 h100 fwd"));
}

}  // namespace
}  // namespace attest::markdown_page_test
