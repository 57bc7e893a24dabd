// Goal: kill -9 at any moment costs time and nothing else: the same command with the same --resume
// ends with the very report of a campaign that nobody disturbed.
#include "tests/harness/cli/killed_campaign.hpp"

#include <gtest/gtest.h>

#include "tests/harness/report/text_lines.hpp"

namespace attest::killed_campaign_test {
namespace {

constexpr std::uint64_t kSeed = 20;

void expect_the_same_end(const KilledCampaign& campaign) {
  const UnbrokenEnd unbroken = unbroken_end(campaign.arguments);
  ASSERT_NE(unbroken.report, "");
  ASSERT_GT(unbroken.journal_bytes, 10'000U);
  const KilledEnd end = end_of(campaign, unbroken, kSeed);
  EXPECT_EQ(end.problem, "");
  EXPECT_GE(end.met, 1) << "too few kills met a campaign at work";
  EXPECT_EQ(end.report, unbroken.report);
}

TEST(KilledCampaign, EndsAsIfNobodyHadKilledItForwardAndBackward) {
  expect_the_same_end(
      {"--subject plain --subject canary/tile-softmax --pass both --cases 10 --filter law=accuracy",
       6});
}

TEST(KilledCampaign, EndsAsIfNobodyHadKilledItOrItsWorkers) {
  expect_the_same_end({"--subject plain --isolate --cases 6 --filter law=accuracy", 6, true});
}

TEST(KilledCampaign, RefusesToGoOnAsAnotherOne) {
  const Attest attest;
  ASSERT_EQ(attest.paste("attest check --subject plain --cases 2 --resume j").status, 0);
  const std::pair<std::string, std::string> others[] = {
      {"--subject plain --cases 3", "fresh cases was 'fwd:2' and is 'fwd:3'"},
      {"--subject plain --cases 2 --seed 2", "seed was '1' and is '2'"},
      {"--subject variant/plain-fused --cases 2", "subjects was 'plain' and is"},
      {"--subject plain --cases 2 --isolate", "isolate was 'no' and is 'yes'"}};
  for (const auto& [arguments, words] : others) {
    const Ran ran = attest.paste("attest check " + arguments + " --resume j");
    EXPECT_EQ(ran.status, 2) << arguments;
    EXPECT_TRUE(holds(ran.err, "--resume j: is of another campaign: " + words)) << ran.err;
  }
  const Ran again = attest.paste("attest check --subject plain --cases 2 --resume j");
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(holds(again.out, " of the cases were finished before, in j\n")) << again.out;
}

// The time of all processes counts, so the same budget again is used up, and a larger one is not.
TEST(KilledCampaign, GoesOnWithALargerBudget) {
  const Attest attest;
  const std::string line =
      "attest check --subject plain --pass both --cases 400 --filter 'nq<=200;nk<=300' --resume j";
  const Ran cut = attest.paste(line + " --budget 1s");
  EXPECT_TRUE(holds(cut.out, "stopped before the end")) << cut.out;
  const Ran again = attest.paste(line + " --budget 1s");
  EXPECT_EQ(lines_of(again.out).back(), lines_of(cut.out).back());
  const Ran further = attest.paste(line + " --budget 2s");
  EXPECT_TRUE(holds(further.out, " of the cases were finished before, in j\n")) << further.err;
  EXPECT_NE(lines_of(further.out).back(), lines_of(cut.out).back());
}

TEST(KilledCampaign, KeepsASeedThatWasDrawn) {
  const Attest attest;
  const std::string line = "attest check --subject plain --cases 2 --seed auto --resume j";
  const std::string first = lines_of(attest.paste(line).out).at(0);
  const Ran again = attest.paste(line);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(lines_of(again.out).at(0), first);
}

}  // namespace
}  // namespace attest::killed_campaign_test
