// Goal: GitHub marks what it is told to mark, as it was meant, and no more than it shows.
#include "harness/report/github_text.hpp"

#include <gtest/gtest.h>

#include "harness/report/failing_report.hpp"
#include "tests/harness/report/gate_sample.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::github_text_test {
namespace {

TEST(GitHubText, EscapesAsItsRunnerReads) {
  EXPECT_EQ(github_command("error", "a:b,c%", "1:2,3\n100%\r\n"),
            "::error title=a%3Ab%2Cc%25::1:2,3%0A100%25%0D%0A\n");
}

TEST(GitHubText, CutsALongMessageBetweenCharacters) {
  std::string message(3999, 'x');
  message += "\xC3\xA9 and more";
  EXPECT_EQ(github_command("error", "t", message),
            "::error title=t::" + std::string(3999, 'x') + "\n");
}

TEST(GitHubText, MarksEachFailureThatIsToldInFull) {
  const Campaign& campaign = gate_sample();
  const std::vector<std::string> lines = lines_of(github_annotations(campaign, nullptr));
  ASSERT_EQ(lines.size(), std::min(told_failures(campaign.failures, {}).size(), kMostAnnotations));
  for (const std::string& line : lines)
    EXPECT_TRUE(line.starts_with("::error title=attest")) << line;
  EXPECT_TRUE(holds(lines.front(), "attest replay "));
  EXPECT_EQ(github_annotations(accepted_campaign(), nullptr), "");
}

TEST(GitHubText, HasAtMostNineAndSaysHowManyMore) {
  Campaign campaign = accepted_campaign();
  Comparison comparison;
  for (int n = 0; n < 20; ++n) {
    const auto lines = lines_of(github_annotations(campaign, &comparison));
    EXPECT_EQ(lines.size(), std::min<std::size_t>(comparison.verdicts.size(), 9));
    for (const std::string& line : lines) EXPECT_TRUE(line.starts_with("::warning ")) << line;
    if (n > 9) {
      EXPECT_TRUE(holds(lines.back(), std::to_string(n - 8) + " more")) << lines.back();
    }
    comparison.verdicts.push_back({"plain f16 h100 fwd", "accuracy", "reject", "accept"});
  }
  campaign.empty = {"family F1"};
  const auto lines = lines_of(github_annotations(campaign, &comparison));
  EXPECT_EQ(lines.size(), 9U);
  EXPECT_TRUE(holds(lines.front(), "family F1"));  // errors come first
}

TEST(GitHubText, TellsOfUndecidedCasesAndChangedBits) {
  Campaign campaign = accepted_campaign();
  campaign.tally.subjects.begin()->second.laws.at("accuracy").undecided = 2;
  Comparison comparison;
  comparison.bits.push_back({"plain f16 fp32-seq fwd", 3, "0123456789abcdef"});
  const std::string text = github_annotations(campaign, &comparison);
  EXPECT_TRUE(holds(text, "::error ")) << text;
  EXPECT_TRUE(holds(text, "2 cases undecided")) << text;
  EXPECT_TRUE(holds(text, "other bits in 3 cases")) << text;
}

}  // namespace
}  // namespace attest::github_text_test
