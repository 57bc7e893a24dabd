// Goal: what a pair or a row of a loose answer is lowered to is its bound less its excess, never
// below 0; rows that are not loose stay as they are.
#include "judge/least_pairs.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest::least_pairs_test {
namespace {

BackwardRow loose_row() {
  BackwardRow row;
  row.loose = true;
  row.excess = {0x1p-10, 0.25, 0.5, 0.125, 1};
  row.lse = {2, 3};
  row.d = {-1, 4};
  row.sum_abs_dout_o = 8;
  row.mean_key = {0.5, 3};
  return row;
}

Pair some_pair() {
  Pair pair;
  pair.j = 5;
  pair.pi = 0.5;
  pair.a = 4;
  pair.abs_score = 2;
  pair.abs_log_pi = 0.125;
  pair.abs_dp = 1;
  pair.abs_dp_less_d = 2;
  pair.g = 16;
  pair.g_floor = 32;
  pair.products = 7;
  return pair;
}

constexpr double kRounding = 1e-12;

TEST(LeastPairs, AreBoundsLessTheirExcess) {
  const Pair least = least_of(some_pair(), loose_row());
  EXPECT_EQ(least.j, 5);
  EXPECT_EQ(least.products, 7);
  EXPECT_NEAR(least.pi, 0.5 - 0.5 / 1024, kRounding);
  EXPECT_NEAR(least.a, 4 - 4.0 / 1024, kRounding);
  EXPECT_NEAR(least.abs_score, 2 - 2.0 / 1024 - 0.25, kRounding);
  EXPECT_EQ(least.abs_log_pi, 0);
  EXPECT_NEAR(least.abs_dp, 1 - 17.0 / 1024, kRounding);
  EXPECT_NEAR(least.abs_dp_less_d, 2 - 18.0 / 1024 - 0.5, kRounding);
  EXPECT_NEAR(least.g, 16 - 16.0 / 1024, kRounding);
  EXPECT_NEAR(least.g_floor, 32 - 32.0 / 1024, kRounding);
}

TEST(LeastPairs, TakeWhatHasNoBoundAndWhatIsTooLightForNothing) {
  Pair pair = some_pair();
  pair.abs_dp = pair.g = std::numeric_limits<double>::infinity();
  EXPECT_EQ(least_of(pair, loose_row()).abs_dp, 0);
  pair.pi = 0x1p-900;
  EXPECT_EQ(least_of(pair, loose_row()).a, 0);
}

TEST(LeastPairs, LowerRowsLikewise) {
  const BackwardRow least = least_of(loose_row());
  EXPECT_EQ(least.lse, (Enclosure{2, 2}));
  EXPECT_EQ(least.d, Enclosure{});
  EXPECT_NEAR(least.sum_abs_dout_o, 8 - 8.0 / 1024 - 0.125, kRounding);
  EXPECT_EQ(least.mean_key[0], 0);
  EXPECT_NEAR(least.mean_key[1], 2 - 3.0 / 1024, kRounding);
}

TEST(LeastPairs, LeaveSharpRowsAlone) {
  BackwardRow row = loose_row();
  row.loose = false;
  row.pairs = {some_pair()};
  EXPECT_EQ(least_of(row).first(), 5);
  EXPECT_EQ(least_of(row).end(), 6);
  EXPECT_EQ(least_of(some_pair(), row).pi, 0.5);
  EXPECT_EQ(least_of(row).mean_key, row.mean_key);
  EXPECT_EQ(least_of(row).d, row.d);
}

}  // namespace
}  // namespace attest::least_pairs_test
