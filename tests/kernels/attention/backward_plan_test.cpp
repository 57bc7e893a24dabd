// Goal: the tiles of the backward follow from the stated budget.
#include "kernels/attention/backward_plan.hpp"

#include <gtest/gtest.h>

namespace attest::backward_plan_test {
namespace {

TEST(BackwardPlan, StaysWithinTheSharedBudgetAndCannotGrow) {
  for (const int head_dim : kHeadDims) {
    const BackwardPlan plan = backward_plan(head_dim);
    EXPECT_LE(plan.shared_bytes(head_dim), kSharedBudget) << head_dim;
    EXPECT_GE(plan.passing, kQueriesOfWarp) << head_dim;
    if (plan.own < 64) {
      const BackwardPlan wider{plan.own * 2, plan.passing};
      EXPECT_GT(wider.shared_bytes(head_dim), kSharedBudget) << head_dim;
    }
    if (plan.passing < 32) {
      const BackwardPlan longer{plan.own, plan.passing * 2};
      EXPECT_TRUE(longer.shared_bytes(head_dim) > kSharedBudget) << head_dim;
    }
  }
}

TEST(BackwardPlan, SharesKeysAmongWarpsWhereTheirGradientsFillTheRegisters) {
  for (const int head_dim : kHeadDims) {
    EXPECT_EQ(head_dim % warps_of_keys(head_dim), 0) << head_dim;
    EXPECT_LE(head_dim / warps_of_keys(head_dim), kMostColumnsOfWarp) << head_dim;
  }
  EXPECT_EQ(warps_of_keys(128), 1);
  EXPECT_EQ(warps_of_keys(256), 2);
}

}  // namespace
}  // namespace attest::backward_plan_test
