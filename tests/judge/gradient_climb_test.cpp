// Goal: nobody climbs past the budgets of gradients, in either view, under any declaration and with
// a forward at the edge of its own budgets, nor out of what a replay accepts; and the climb comes
// near, so that it means something.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/judge/gradient_climber.hpp"

namespace attest::gradient_climb_test {
namespace {

TEST(GradientClimb, HoldsForEveryDeclaration) {
  const ClimbResult climbed = climb_gradients(2, 60, 60);
  EXPECT_EQ(climbed.rejected, "");
  const char* views[] = {"end to end", "stage by stage"};
  for (std::size_t view = 0; view < 2; ++view) {
    const auto& [dq, dk, dv] = climbed.best[view];
    std::cout << views[view] << ": best error / budget dQ " << dq << ", dK " << dk << ", dV " << dv
              << '\n';
    for (const double ratio : climbed.best[view]) {
      EXPECT_LE(ratio, 1);
      EXPECT_GT(ratio, 0.5);
    }
  }
  std::cout << climbed.unbounded << " of " << climbed.judged << " unbounded\n";
  EXPECT_LT(climbed.unbounded, climbed.judged / 2);
  std::cout << climbed.single << " of " << climbed.replayed << " with one value by replay\n";
  EXPECT_GT(climbed.replayed, climbed.judged / 10);
}

}  // namespace
}  // namespace attest::gradient_climb_test
