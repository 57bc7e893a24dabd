// Goal: the rotation of units is not in step with that of formats or families.
#include "harness/campaign/turns.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "properties/family.hpp"
#include "properties/law.hpp"

namespace attest::turns_test {
namespace {

TEST(Turns, BringsEveryUnitTogetherWithEveryFamilyInEachFormat) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const std::uint64_t drawn = families_of(pass).size();
    for (std::uint64_t units = 1; units <= 6; ++units) {
      const std::uint64_t whole = 2 * drawn * units;
      std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> met;
      for (std::uint64_t index = 0; index < whole; ++index) {
        met.insert({index % 2, index / 2 % drawn, turn_of(index, pass) % units});
      }
      EXPECT_EQ(met.size(), whole) << units;
    }
  }
}

TEST(Turns, OfLawsBringEachThatRerunsOnce) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (const Index turns : {Index{1}, Index{3}, Index{5}}) {
      std::multiset<std::string_view> met;
      for (std::uint64_t turn = 7; turn < 7 + static_cast<std::uint64_t>(turns); ++turn) {
        for (const Law* law : laws_in_turn(pass, turns, turn)) met.insert(law->name);
      }
      for (const Law& law : laws()) {
        EXPECT_EQ(met.count(law.name), law.reruns && law.speaks_of(pass) ? 1U : 0U) << law.name;
      }
    }
  }
}

TEST(Turns, OfVariantsAreWholeRoundsAndOneInSoMany) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const std::uint64_t whole = 2 * families_of(pass).size();
    EXPECT_EQ(round_of(whole - 1, pass), 0U);
    EXPECT_EQ(round_of(whole, pass), 1U);
  }
  for (std::size_t n = 0; n < 9; ++n) {
    int taken = 0;
    for (std::uint64_t round = 5; round < 11; ++round) taken += takes_round(n, round, 6);
    EXPECT_EQ(taken, 1) << n;
    EXPECT_TRUE(takes_round(n, 3, 1));
  }
}

}  // namespace
}  // namespace attest::turns_test
