// Goal: when several things are true of a campaign, the documented one decides the exit status.
#include <gtest/gtest.h>

#include "harness/campaign/campaign.hpp"

namespace attest::exit_status_test {
namespace {

// What may be true of a campaign, from the strongest down.
struct Facts {
  bool empty_class = false;    // 4
  bool unrecorded = false;     // 4
  bool troubled = false;       // 3
  bool rejected = false;       // 1
  bool too_unbounded = false;  // 1
  bool undecided = false;      // 7
  bool judged = false;         // 0, or 5 where nothing was
};

Campaign campaign_of(const Facts& facts) {
  Campaign campaign;
  if (facts.empty_class) campaign.empty = {"family F1"};
  if (facts.unrecorded) campaign.unrecorded = "disk full";
  if (facts.troubled) campaign.troubled_cases = 1;
  if (facts.rejected) campaign.rejected_cases = 1;
  if (facts.too_unbounded) campaign.too_unbounded = {{"F1", "plain"}};
  if (facts.undecided) campaign.undecided_cases = 1;
  SubjectTally& subject = campaign.tally.subjects[{"plain", Format::f16, Unit::fp32_seq}];
  subject.cases = 1;
  if (facts.judged) subject.laws["accuracy"].accepted = 1;
  return campaign;
}

int documented(const Facts& facts) {
  if (facts.empty_class || facts.unrecorded) return 4;
  if (facts.troubled) return 3;
  if (facts.rejected || facts.too_unbounded) return 1;
  if (facts.undecided) return 7;
  return facts.judged ? 0 : 5;
}

TEST(ExitStatus, FollowsTheDocumentedPrecedenceInEveryCombination) {
  for (int n = 0; n < 128; ++n) {
    const auto bit = [&](int place) { return (n >> place & 1) != 0; };
    const Facts facts{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6)};
    EXPECT_EQ(exit_status(campaign_of(facts)), documented(facts)) << n;
  }
}

TEST(ExitStatus, NamesEachOfItsCases) {
  const struct {
    Facts facts;
    int status;
  } rows[] = {
      {{.judged = true}, 0},                                       // all accepted
      {{.rejected = true, .undecided = true, .judged = true}, 1},  // one of each
      {{.too_unbounded = true, .judged = true}, 1},                // too much without a budget
      {{.troubled = true, .rejected = true, .judged = true}, 3},   // a crash beside a reject
      {{.empty_class = true, .troubled = true, .rejected = true}, 4},
      {{.unrecorded = true, .rejected = true, .judged = true}, 4},
      {{}, 5},                   // nothing was judged
      {{.undecided = true}, 7},  // nothing worse than undecided
  };
  for (const auto& [facts, status] : rows) EXPECT_EQ(exit_status(campaign_of(facts)), status);
}

TEST(ExitStatus, OfNothingAtAllIsNothingSelected) { EXPECT_EQ(exit_status(Campaign{}), 5); }

}  // namespace
}  // namespace attest::exit_status_test
