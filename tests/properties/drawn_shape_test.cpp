// Goal: the dice of a shape are fair enough and the same again, and work grows with what costs.
#include "properties/drawn_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace attest::drawn_shape_test {
namespace {

TEST(DrawnShape, DiceGiveTheSameAgainAndReachBothEnds) {
  Dice dice(3);
  Dice again(3);
  std::set<Index> seen;
  for (int n = 0; n < 200; ++n) {
    const Index drawn = dice.between(-2, 4);
    EXPECT_EQ(drawn, again.between(-2, 4));
    seen.insert(drawn);
  }
  EXPECT_EQ(seen, (std::set<Index>{-2, -1, 0, 1, 2, 3, 4}));
}

TEST(DrawnShape, WindowsStayWithinATileOrCrossSeveral) {
  Dice dice(4);
  int within = 0;
  for (int n = 0; n < 300; ++n) {
    const Index reach = draw_reach(dice);
    EXPECT_GE(reach, 0);
    EXPECT_LE(reach, 160);
    within += reach <= 24;
  }
  EXPECT_GE(within, 150);
  EXPECT_LE(within, 250);
}

TEST(DrawnShape, LengthsAreOneForEachEntryNoneAndAllAmongThem) {
  Dice dice(5);
  const auto lengths = draw_lengths(dice, 200, 30);
  ASSERT_EQ(lengths.size(), 200U);
  for (const Index length : lengths) EXPECT_TRUE(length >= 0 && length <= 30);
  EXPECT_GE(std::ranges::count(lengths, 0), 10);
  EXPECT_GE(std::ranges::count(lengths, 30), 20);
  EXPECT_GE(std::ranges::count_if(lengths, [](Index n) { return n > 0 && n < 30; }), 60);
}

TEST(DrawnShape, WorkGrowsWithEveryExtent) {
  Problem p;
  const auto grows = [&](Index Problem::*extent) {
    Problem larger = p;
    ++(larger.*extent);
    return work_of(larger) > work_of(p);
  };
  for (const auto extent : {&Problem::batch, &Problem::heads_q, &Problem::n_q, &Problem::n_k,
                            &Problem::d_qk, &Problem::d_v}) {
    EXPECT_TRUE(grows(extent));
  }
}

}  // namespace
}  // namespace attest::drawn_shape_test
