// Goal: a problem gets every feature that is asked for, where no family stands against it, and
// stays small; who asks for nothing gets the problem back.
#include "properties/covering/granted.hpp"

#include <gtest/gtest.h>

#include "properties/covering/constraint.hpp"
#include "tests/properties/rich_problem.hpp"

namespace attest::granted_test {
namespace {

constexpr Index kLimit = 1'200'000;

// Nothing of it may go without a feature that was asked for: whole tiles of rows and keys, entries
// of the batch, groups, columns.
bool is_least(const Features& wish, const Problem& p) {
  const Index keys = wish[kReach] == 1 ? kOneReach + 16 : 2 * 16;
  return p.n_q <= 17 && p.batch <= 2 && p.heads_k == 1 && p.d_qk <= 72 && p.d_v <= 72 &&
         p.n_k <= keys;
}

TEST(Granted, NothingWhereNothingIsAsked) {
  Dice dice(1);
  Problem p = rich_problem();
  grant(all_open(), dice, p);
  EXPECT_EQ(p, rich_problem());
  EXPECT_FALSE(grant_within(all_open(), 1, dice, p));
  EXPECT_EQ(p, rich_problem());
  EXPECT_EQ(dice.below(1000), Dice(1).below(1000));
}

// Any two values, from a problem that has neither.
TEST(Granted, AreAnyTwoFeaturesOfTheShape) {
  std::uint64_t seed = 0;
  for (int first = kOutput; first < kLseGradient; ++first) {
    for (int second = first + 1; second < kLseGradient; ++second) {
      if (first == kFamilyDrawn || second == kFamilyDrawn) continue;
      const auto values = [](int parameter) {
        return static_cast<std::int8_t>(names_of(static_cast<Parameter>(parameter)).values.size());
      };
      for (std::int8_t one = 0; one < values(first); ++one) {
        for (std::int8_t other = 0; other < values(second); ++other) {
          Features wish = all_open();
          wish[static_cast<std::size_t>(first)] = one;
          wish[static_cast<std::size_t>(second)] = other;
          if (constraint_on(Pass::fwd, wish) != nullptr) continue;
          Dice dice(++seed);
          Problem p = rich_problem();
          grant(wish, dice, p);
          grant_within(wish, kLimit, dice, p);
          const Features got = features_of(p);
          ASSERT_EQ(got[static_cast<std::size_t>(first)], one) << to_string(p);
          ASSERT_EQ(got[static_cast<std::size_t>(second)], other) << to_string(p);
          ASSERT_EQ(defect_of(p), "") << to_string(p);
          ASSERT_TRUE(work_of(p) <= kLimit || is_least(wish, p)) << to_string(p);
        }
      }
    }
  }
}

TEST(Granted, KeepTheirPlaceAmongTilesWhenRowsGo) {
  Features wish = all_open();
  wish[kQueries] = kOneShort;
  wish[kKeys] = kOneOver;
  wish[kReach] = 1;
  wish[kBatch] = 1;
  wish[kGroup] = 3;
  wish[kDim] = kWide;
  Problem p = rich_problem();
  p.n_q = 271;
  p.n_k = 273;
  p.d_qk = p.d_v = 256;
  Dice dice(1);
  EXPECT_TRUE(grant_within(wish, kLimit, dice, p));
  const Features got = features_of(p);
  for (const Parameter asked : {kQueries, kKeys, kReach, kBatch, kGroup, kDim}) {
    EXPECT_EQ(got[asked], wish[asked]) << names_of(asked).name;
  }
  EXPECT_LE(work_of(p), 6 * kLimit);  // the least that has all of these
  EXPECT_EQ(static_cast<Index>(p.lq.size()), p.batch);
}

}  // namespace
}  // namespace attest::granted_test
