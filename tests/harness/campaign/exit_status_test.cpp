// Goal: when several things are true of a campaign, the documented one decides the exit status.
#include <gtest/gtest.h>

#include "harness/campaign/campaign.hpp"

namespace attest {
namespace {

// What may be true of a campaign, from the strongest down.
struct Facts {
  bool empty_class;    // 4
  bool troubled;       // 3
  bool rejected;       // 1
  bool too_unbounded;  // 1
  bool undecided;      // 7
  bool judged;         // 0, or 5 where nothing was
};

Campaign campaign_of(const Facts& facts) {
  Campaign campaign;
  if (facts.empty_class) campaign.empty = {"family F1"};
  if (facts.troubled) campaign.troubled_cases = 1;
  if (facts.rejected) campaign.rejected_cases = 1;
  if (facts.too_unbounded) campaign.too_unbounded = {"F1"};
  if (facts.undecided) campaign.undecided_cases = 1;
  SubjectTally& subject = campaign.tally.subjects[{"plain", Format::f16, Unit::fp32_seq}];
  subject.cases = 1;
  if (facts.judged) subject.laws["accuracy"].accepted = 1;
  return campaign;
}

int documented(const Facts& facts) {
  if (facts.empty_class) return 4;
  if (facts.troubled) return 3;
  if (facts.rejected || facts.too_unbounded) return 1;
  if (facts.undecided) return 7;
  return facts.judged ? 0 : 5;
}

TEST(ExitStatus, FollowsTheDocumentedPrecedenceInEveryCombination) {
  for (int n = 0; n < 64; ++n) {
    const Facts facts{(n & 1) != 0, (n & 2) != 0,  (n & 4) != 0,
                      (n & 8) != 0, (n & 16) != 0, (n & 32) != 0};
    EXPECT_EQ(exit_status(campaign_of(facts)), documented(facts)) << n;
  }
}

TEST(ExitStatus, NamesEachOfItsCases) {
  const struct {
    Facts facts;
    int status;
  } rows[] = {
      {{false, false, false, false, false, true}, 0},   // all accepted
      {{false, false, true, false, true, true}, 1},     // a reject beside something undecided
      {{false, false, false, true, false, true}, 1},    // too much without a finite budget
      {{false, true, true, false, true, true}, 3},      // a crash beside a reject
      {{true, true, true, true, true, true}, 4},        // an empty class beside everything
      {{false, false, false, false, false, false}, 5},  // nothing was judged
      {{false, false, false, false, true, true}, 7},    // nothing worse than undecided
  };
  for (const auto& [facts, status] : rows) EXPECT_EQ(exit_status(campaign_of(facts)), status);
}

TEST(ExitStatus, OfNothingAtAllIsNothingSelected) { EXPECT_EQ(exit_status({}), 5); }

}  // namespace
}  // namespace attest
