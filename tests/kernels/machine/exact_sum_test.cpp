// Goal: a sum without rounding, at both ends of its range and across the borders of its words.
#include "kernels/machine/exact_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace attest::exact_sum_test {
namespace {

float sum_of(std::initializer_list<double> terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.round_to_binary32();
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kLargest = std::numeric_limits<float>::max();

TEST(ExactSum, KeepsEveryBinadeThroughCancellation) {
  for (int exponent = -149; exponent < 128; ++exponent) {
    const double x = std::ldexp(1.0, exponent);
    EXPECT_EQ(sum_of({0x1p256, x, -0x1p256}), static_cast<float>(x));
    EXPECT_EQ(sum_of({-0x1p-266, -x, 0x1p-266}), static_cast<float>(-x));
    EXPECT_EQ(sum_of({x, -x}), 0.0f);
  }
}

TEST(ExactSum, BreaksATieByWhatLiesFarBelow) {
  EXPECT_EQ(sum_of({1.0, 0x1p-24}), 1.0f);
  EXPECT_EQ(sum_of({1.0, 0x1p-24, 0x1p-266}), 0x1.000002p0f);
  EXPECT_EQ(sum_of({1.0, 0x1p-24, -0x1p-266}), 1.0f);
  EXPECT_EQ(sum_of({0x1.000002p0, 0x1p-24}), 0x1.000004p0f);
  EXPECT_EQ(sum_of({0x1.000002p0, 0x1p-24, -0x1p-266}), 0x1.000002p0f);
  EXPECT_EQ(sum_of({-1.0, -0x1p-24, -0x1p-266}), -0x1.000002p0f);
}

TEST(ExactSum, RoundsToSubnormalsAndBelowThem) {
  EXPECT_EQ(sum_of({0x1p-149, 0x1p-150}), 0x1p-148f);
  EXPECT_EQ(sum_of({0x1p-150}), 0.0f);
  EXPECT_EQ(sum_of({0x1p-150, 0x1p-266}), 0x1p-149f);
  EXPECT_EQ(sum_of({0x1p-126, -0x1p-149}), 0x1.fffffcp-127f);
  EXPECT_TRUE(std::signbit(sum_of({-0x1p-200})));
  EXPECT_FALSE(std::signbit(sum_of({0x1p-200})));
}

TEST(ExactSum, OverflowsAtHalfAStepAboveTheLargest) {
  EXPECT_EQ(sum_of({kLargest, 0x1p103}), kInfinity);
  EXPECT_EQ(sum_of({kLargest, 0x1p103, -0x1p-266}), std::numeric_limits<float>::max());
  EXPECT_EQ(sum_of({-kLargest, -0x1p103}), -kInfinity);
  EXPECT_EQ(sum_of({0x1p256, -0x1p256, kLargest}), std::numeric_limits<float>::max());
}

TEST(ExactSum, OfNothingIsPositiveZero) {
  EXPECT_EQ(sum_of({}), 0.0f);
  EXPECT_FALSE(std::signbit(sum_of({-0.0, -1.0, 1.0})));
}

TEST(ExactSumDeathTest, RefusesWhatItCannotHold) {
  EXPECT_DEATH(sum_of({0x1p260}), "0x1p260");
  EXPECT_DEATH(sum_of({0x1p-301}), "place");
  EXPECT_DEATH(sum_of({std::numeric_limits<double>::infinity()}), "0x1p260");
  EXPECT_DEATH(sum_of({std::nan("")}), "0x1p260");
}

}  // namespace
}  // namespace attest::exact_sum_test
