// Goal: no rotation of units or laws is in step with that of formats or families.
#include "harness/campaign/turns.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "properties/family.hpp"

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

TEST(Turns, BringEveryLawThatRerunsToEachFamilyInEachFormat) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const std::uint64_t round = 2 * families_of(pass).size();
    for (const Index turns : {Index{1}, Index{3}, Index{5}}) {
      for (const Law& law : laws()) {
        if (!law.speaks_of(pass)) continue;
        std::set<std::uint64_t> met;  // places in a round: a family in a format
        for (std::uint64_t n = 0; n < round * static_cast<std::uint64_t>(turns); ++n) {
          if (is_due(law, pass, turns, rerun_turn_of(n, pass))) met.insert(n % round);
        }
        EXPECT_EQ(met.size(), round) << law.name << " of " << turns;
      }
    }
  }
}

}  // namespace
}  // namespace attest::turns_test
