// Goal: a seed draws orders, the same ones each time.
#include "kernels/machine/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace attest::schedule_test {
namespace {

TEST(Schedule, OfSeedZeroTakesBlocksByNumber) {
  const auto order = block_order(100, 0);
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(order.size(), 100u);
}

TEST(Schedule, OfAnotherSeedHoldsEveryBlockOnce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto order = block_order(100, seed);
    EXPECT_EQ(order, block_order(100, seed));
    EXPECT_FALSE(std::ranges::is_sorted(order));
    std::ranges::sort(order);
    EXPECT_EQ(order, block_order(100, 0));
  }
  EXPECT_NE(block_order(100, 1), block_order(100, 2));
  EXPECT_TRUE(block_order(0, 1).empty());
}

TEST(Schedule, ReachesEveryOrderOfThree) {
  std::set<std::array<int, 3>> orders;
  for (std::uint64_t n = 0; n < 200; ++n) {
    std::array<int, 3> order = {0, 1, 2};
    ScheduleStream(7, n).shuffle(order);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 6u);
}

}  // namespace
}  // namespace attest::schedule_test
