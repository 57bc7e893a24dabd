// Goal: what speaks against a whole campaign is told where there is something to tell, and only
// there.
#include "harness/report/shortcomings.hpp"

#include <gtest/gtest.h>

#include "tests/harness/report/gate_sample.hpp"

namespace attest::shortcomings_test {
namespace {

std::string lacking(const Campaign& campaign) {
  std::string names;
  for (const Shortcoming& one : shortcomings(campaign)) {
    if (!one.text.empty()) names += one.name + "; ";
  }
  return names;
}

TEST(Shortcomings, AreNoneOfAnAcceptedCampaign) {
  const Campaign campaign = accepted_campaign();
  EXPECT_EQ(lacking(campaign), "");
  EXPECT_EQ(shortcomings(campaign).size(), shortcomings(Campaign()).size());
}

TEST(Shortcomings, NameEachThing) {
  Campaign campaign = accepted_campaign();
  campaign.empty = {"family F9"};
  EXPECT_EQ(lacking(campaign), "reaches every class; ");
  campaign.too_unbounded = {{"F1", "plain"}};
  campaign.unrecorded = "full";
  campaign.interrupted = true;
  EXPECT_EQ(lacking(campaign),
            "reaches every class; has budgets; records its failures; comes to its end; ");
  EXPECT_EQ(lacking(Campaign()), "judges something; ");
}

TEST(RowName, HoldsWhatTellsRowsApart) {
  EXPECT_EQ(row_name({"plain", Format::bf16, Unit::h100, Pass::bwd}), "plain bf16 h100 bwd");
  for (const Failure& failure : gate_sample().failures) {
    EXPECT_TRUE(gate_sample().tally.subjects.contains(row_of(failure))) << failure.law;
  }
}

}  // namespace
}  // namespace attest::shortcomings_test
