// Goal: every lane has a stack of its own above a page that no overflow crosses.
#include "kernels/machine/lane_stacks.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace attest::lane_stacks_test {
namespace {

unsigned char* top(const boost::context::stack_context& stack) {
  return static_cast<unsigned char*>(stack.sp);
}

TEST(LaneStacks, AreDisjointAlignedAndLargeEnough) {
  const LaneStacks stacks(64, 10'000);
  for (int lane = 0; lane < 64; ++lane) {
    const auto stack = stacks[lane];
    EXPECT_GE(stack.size, 10'000u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stack.sp) % 64, 0u);
    *(top(stack) - 1) = 1;
    *(top(stack) - stack.size) = 1;
    if (lane > 0) {
      EXPECT_GE(top(stack) - stack.size, top(stacks[lane - 1]) + 4096);
    }
  }
}

TEST(LaneStacksDeathTest, StopAnOverflowAtAGuardPage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const LaneStacks stacks(2, 4096);
  EXPECT_DEATH(*(top(stacks[1]) - stacks[1].size - 1) = 1, "");
}

TEST(LaneStacks, AreLentAgainOnceReturned) {
  void* first = nullptr;
  {
    const StackLoan loan = borrow_stacks(32, 4096);
    first = (*loan)[0].sp;
    const StackLoan other = borrow_stacks(32, 4096);
    EXPECT_NE((*other)[0].sp, first);
  }
  bool again = false;
  const StackLoan a = borrow_stacks(32, 4096), b = borrow_stacks(32, 4096);
  for (const auto* loan : {&a, &b}) again = again || (**loan)[0].sp == first;
  EXPECT_TRUE(again);
  const StackLoan larger = borrow_stacks(33, 1 << 20);
  EXPECT_GE((*larger)[32].size, std::size_t{1} << 20);
}

TEST(LaneStacks, ThatTheSystemRefusesAreAnError) {
  EXPECT_THROW(LaneStacks(1024, std::size_t{1} << 46), Error);
}

}  // namespace
}  // namespace attest::lane_stacks_test
