// Goal: an element holds a value once a launch that wrote it has ended, and ever after.
#include "kernels/machine/global_tensor.hpp"

#include <gtest/gtest.h>

namespace attest::global_tensor_test {
namespace {

const Where kHere = Where::current();

TEST(GlobalTensor, HoldsAValueWhereALaunchWrote) {
  GlobalTensor tensor("o", 3, 100, true);
  EXPECT_EQ(tensor.name(), "o");
  EXPECT_EQ(tensor.id(), 3);
  EXPECT_EQ(tensor.count(), 100);
  const TouchedRun runs[] = {{10, 5, 3, 0, {}, kHere, {}},   // written
                             {40, 5, 3, 1, kHere, {}, {}},   // read
                             {70, 5, 3, 1, {}, {}, kHere}};  // added to
  tensor.end_launch(runs);
  tensor.end_launch({});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(tensor.was_written(i), i >= 10 && i < 15) << i;
}

TEST(GlobalTensor, OfAnInputKeepsNothing) {
  const GlobalTensor tensor("q", 0, std::int64_t{1} << 50, false);
  EXPECT_FALSE(tensor.tracked());
}

}  // namespace
}  // namespace attest::global_tensor_test
