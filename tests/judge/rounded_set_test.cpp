// Goal: whatever a store makes of a value of the interval lies in the set, and the set is no larger
// than what its ends allow.
#include "judge/rounded_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace attest::rounded_set_test {
namespace {

constexpr Format kNarrow[] = {Format::f16, Format::bf16};

TEST(RoundedSet, HoldsTheRoundingOfEveryValueOfTheInterval) {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const Format format : kNarrow) {
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero}) {
      for (int n = 0; n < 2000; ++n) {
        const double middle = std::ldexp(unit(engine), static_cast<int>(engine() % 40) - 30);
        const double reach = std::ldexp(std::fabs(middle), -static_cast<int>(engine() % 14));
        const RoundedSet set = rounded_set(middle - reach, middle + reach, {format, rounding});
        for (int m = 0; m < 8; ++m) {
          const double y =
              std::clamp(middle + reach * unit(engine), middle - reach, middle + reach);
          const double stored = round_to_format(format, y, rounding);
          EXPECT_TRUE(set.holds(stored));
          EXPECT_LE(std::fabs(stored - set.centre()), set.half_width());
        }
      }
    }
  }
}

TEST(RoundedSet, IsSingleExactlyWhereTheEndsRoundAlike) {
  const double step = 0x1p-10;  // of f16 from 1 on
  EXPECT_TRUE(rounded_set(1 - step / 8, 1 + step / 3, {Format::f16}).is_single());
  EXPECT_FALSE(rounded_set(1 - step / 8, 1 + step * 0.6, {Format::f16}).is_single());
  const RoundedSet set = rounded_set(1 - step / 8, 1 + step * 0.6, {Format::f16});
  EXPECT_EQ(set.lo, 1);
  EXPECT_EQ(set.hi, 1 + step);
  EXPECT_TRUE(rounded_set(1, 1 + step * 0.6, {Format::f16, Rounding::toward_zero}).is_single());
  EXPECT_FALSE(rounded_set(1 - step, 1, {Format::f16, Rounding::toward_zero}).is_single());
}

TEST(RoundedSet, ASingleValueHasNoWidth) {
  const RoundedSet set = rounded_set(1.0 / 3, 1.0 / 3, {Format::bf16});
  EXPECT_EQ(set.half_width(), 0);
  EXPECT_EQ(set.centre(), round_to_format(Format::bf16, 1.0 / 3));
}

TEST(RoundedSet, ZeroJoinsWhereResultsBelowTheNormalRangeAreFlushed) {
  const double normal = smallest_normal(Format::f16);
  const auto set_of = [](double lo, double hi) {
    return rounded_set(lo, hi, {Format::f16, Rounding::nearest_even, true});
  };
  EXPECT_TRUE(set_of(normal / 2, normal / 2).holds(0));
  EXPECT_TRUE(set_of(-normal / 2, -normal / 2).holds(0));
  EXPECT_TRUE(set_of(normal * 0.9999, normal * 0.9999).holds(0));
  EXPECT_TRUE(set_of(normal * 0.9999, normal * 0.9999).holds(normal));
  EXPECT_FALSE(set_of(normal, normal).holds(0));
  EXPECT_FALSE(set_of(-normal, -normal).holds(0));
  EXPECT_FALSE(rounded_set(normal / 2, normal / 2, {Format::f16}).holds(0));
}

TEST(RoundedSet, AnIntervalPastTheThresholdHoldsAnInfinity) {
  const RoundedSet set = rounded_set(65504, 65530, {Format::f16});
  EXPECT_TRUE(set.holds(65504));
  EXPECT_TRUE(set.holds(INFINITY));
  EXPECT_FALSE(set.holds(65472));
  EXPECT_FALSE(set.holds(NAN));
}

}  // namespace
}  // namespace attest::rounded_set_test
