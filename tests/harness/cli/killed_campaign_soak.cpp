// Hundreds of kills, by another seed each time (ATTEST_SEED repeats one).
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/harness/cli/killed_campaign.hpp"

namespace attest {
namespace {

std::uint64_t seed_of_run() {
  const char* chosen = std::getenv("ATTEST_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::stoull(chosen) : std::random_device{}();
  std::cout << "seed " << seed << "\n";
  return seed;
}

TEST(KilledCampaignSoak, EndsAsIfNobodyHadKilledIt) {
  constexpr int kRounds = 10;
  constexpr int kKills = 12;
  const std::uint64_t seed = seed_of_run();
  const KilledCampaign campaigns[] = {
      {"--subject plain --cases 20", kKills},
      {"--subject plain --subject canary/tile-softmax --pass both --cases 10 --filter law=accuracy",
       kKills},
      {"--subject plain --isolate --pass both --cases 6 --filter law=accuracy", kKills, true}};
  int kills = 0;
  for (const KilledCampaign& campaign : campaigns) {
    const UnbrokenEnd unbroken = unbroken_end(campaign.arguments);
    ASSERT_NE(unbroken.report, "");
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const KilledEnd end = end_of(campaign, unbroken, seed + round);
      EXPECT_EQ(end.problem, "") << round;
      EXPECT_EQ(end.report, unbroken.report) << campaign.arguments << " round " << round;
      kills += end.met;
    }
  }
  std::cout << kills << " kills met a running campaign\n";
  EXPECT_GE(kills, 100);
}

}  // namespace
}  // namespace attest
