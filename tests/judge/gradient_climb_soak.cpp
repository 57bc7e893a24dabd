// Goal: the climb of gradient_climb_test.cpp, from many more starts and for longer.
#include <gtest/gtest.h>

#include "tests/judge/gradient_climber.hpp"

namespace attest {
namespace {

TEST(GradientClimbSoak, HoldsFromManyStarts) {
  for (std::uint64_t seed = 1000; seed < 1040; ++seed) {
    const ClimbResult climbed = climb_gradients(seed, 150, 200);
    ASSERT_EQ(climbed.rejected, "") << "seed " << seed;
    for (const auto& view : climbed.best) {
      for (const double ratio : view) EXPECT_LE(ratio, 1) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace attest
