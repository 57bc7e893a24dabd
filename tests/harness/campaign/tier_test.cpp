// Goal: tiers have their documented names, and each brings every family to both formats.
#include "harness/campaign/tier.hpp"

#include <gtest/gtest.h>

#include "properties/family.hpp"
#include "properties/law.hpp"
#include "tests/core/refusal.hpp"

namespace attest::tier_test {
namespace {

TEST(Tier, HasTheDocumentedNames) {
  std::vector<std::string_view> names;
  for (const Tier& tier : tiers()) names.push_back(tier.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"smoke", "standard", "full", "soak"}));
  EXPECT_GE(tier_named("soak").cases, 1000);
}

TEST(Tier, HoldsTwelveCasesOfEachFamilyInEachFormatAndFourOfTheBackward) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const auto round = static_cast<Index>(2 * families_of(pass).size());
    for (const Tier& tier : tiers()) {
      EXPECT_GE(tier.cases_of(pass), (pass == Pass::fwd ? 12 : 4) * round) << tier.name;
      EXPECT_EQ(tier.cases_of(pass) % round, 0)
          << tier.name << ": no family gets less than another";
    }
  }
}

TEST(Tier, AsksLawsAboutTheFirstRunOnEveryCase) {
  for (const char* name : {"accuracy", "gradient_accuracy", "stage_accuracy"}) {
    EXPECT_FALSE(law_named(name).reruns) << name;
  }
}

TEST(Tier, OfAnotherNameIsRefusedWithTheKnownOnes) {
  const Refusal refusal = refusal_of([] { (void)tier_named("Smoke"); });
  EXPECT_EQ(refusal.blame, Blame::usage);
  EXPECT_EQ(refusal.message, "unknown tier 'Smoke'; known: smoke, standard, full, soak");
}

}  // namespace
}  // namespace attest::tier_test
