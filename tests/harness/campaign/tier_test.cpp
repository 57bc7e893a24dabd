// Goal: tiers have their documented names, and each brings every family to both formats.
#include "harness/campaign/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "harness/campaign/check_case.hpp"
#include "properties/family.hpp"
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

// Place in a round: the family, and the format.
using Met = std::map<std::string_view, std::set<std::uint64_t>>;

// What each law meets on the cases of one pass whose round of families `takes` admits.
template <class Takes>
Met met_by_laws(const Tier& tier, Pass pass, Takes takes) {
  Met met;
  const std::uint64_t round = 2 * families_of(pass).size();
  for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(tier.cases_of(pass)); ++n) {
    if (!takes(n / round)) continue;
    for (const Law& law : laws()) {
      if (!law.speaks_of(pass)) continue;
      if (is_due(law, pass, tier.rerun_turns, rerun_turn_of(n, pass))) {
        met[law.name].insert(n % round);
      }
    }
  }
  return met;
}

std::size_t laws_of(Pass pass) {
  return static_cast<std::size_t>(
      std::ranges::count_if(laws(), [&](const Law& law) { return law.speaks_of(pass); }));
}

TEST(Tier, BringsEveryLawToEveryFamilyInEachFormat) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const Met met = met_by_laws(tier_named("smoke"), pass, [](std::uint64_t) { return true; });
    EXPECT_EQ(met.size(), laws_of(pass));
    for (const auto& [law, places] : met) {
      EXPECT_EQ(places.size(), 2 * families_of(pass).size()) << law;
    }
  }
}

// A variant has a round or two of each pass, and a law that reruns it meets it on a fifth of the
// families in each format.
TEST(Tier, BringsEveryLawToEveryVariantInEachFormat) {
  const Tier& tier = tier_named("smoke");
  EXPECT_EQ(std::gcd(tier.variant_turns, tier.rerun_turns), 1);
  const auto turns = static_cast<std::uint64_t>(tier.variant_turns);
  for (std::uint64_t own = 0; own < turns; ++own) {
    const auto takes = [&](std::uint64_t round) { return round % turns == own; };
    for (const Pass pass : {Pass::fwd, Pass::bwd}) {
      const Met met = met_by_laws(tier, pass, takes);
      EXPECT_EQ(met.size(), laws_of(pass));
      for (const auto& [law, places] : met) {
        for (const std::uint64_t format : {0u, 1u}) {
          const auto in_format = std::ranges::count_if(
              places, [&](std::uint64_t place) { return place % 2 == format; });
          EXPECT_GE(in_format, static_cast<long>(families_of(pass).size() / 5))
              << law << " in turn " << own;
        }
      }
    }
  }
}

TEST(Tier, AsksLawsThatDoNotRerunOnEveryCase) {
  for (const Law& law : laws()) {
    const bool always = is_due(law, Pass::bwd, 3, 0) && is_due(law, Pass::bwd, 3, 1) &&
                        is_due(law, Pass::bwd, 3, 2);
    EXPECT_EQ(always, !law.reruns) << law.name;
    EXPECT_TRUE(is_due(law, Pass::bwd, 1, 5)) << law.name;
  }
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
