// Goal: the tiles follow from the stated budget.
#include "kernels/attention/tile_plan.hpp"

#include <gtest/gtest.h>

namespace attest::tile_plan_test {
namespace {

TEST(TilePlan, StaysWithinTheSharedBudgetAndCannotGrow) {
  for (const int head_dim : kHeadDims) {
    const TilePlan plan = plan_for(head_dim, 4, 64);
    EXPECT_LE(plan.shared_bytes(head_dim), kSharedBudget) << head_dim;
    EXPECT_GE(plan.warps, 1) << head_dim;
    EXPECT_EQ(plan.keys % 16, 0) << head_dim;
    if (plan.keys < 64) {
      const TilePlan wider{plan.warps, plan.keys * 2};
      EXPECT_GT(wider.shared_bytes(head_dim), kSharedBudget) << head_dim;
    }
  }
}

TEST(TilePlan, HalvesTheKeysAsTheHeadDimensionDoubles) {
  EXPECT_EQ(plan_for(64, 4, 64).keys, 64);
  EXPECT_EQ(plan_for(128, 4, 64).keys, 32);
  EXPECT_EQ(plan_for(256, 4, 64).keys, 16);
}

TEST(TilePlan, PadsEveryHeadDimension) {
  for (int d = 1; d <= kLargestHeadDim; ++d) {
    EXPECT_GE(padded_head_dim(d), d);
    EXPECT_TRUE(d <= 64 ? padded_head_dim(d) == 64 : padded_head_dim(d) < 2 * d);
  }
}

}  // namespace
}  // namespace attest::tile_plan_test
