// Goal: upward arithmetic is never below the exact result, underflow and infinity included, and
// inflation covers the roundings it is told of.
#include "oracle/upward.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "tests/oracle/ball.hpp"

namespace attest::upward_test {
namespace {

// A number >= 0 over all binades, subnormals and zero included.
double magnitude(std::uint32_t n, std::uint32_t which) {
  const RandomBits bits = random_bits(5, {40, 0, 0, n, which});
  if (bits[3] % 16 == 0) return bits[2] % 2 == 0 ? 0.0 : kSmallest;
  const int exponent = static_cast<int>(bits[0] % 2000) - 1074;
  return std::ldexp(1 + bits[1] * 0x1p-32, std::min(exponent, 900));
}

TEST(Upward, SingleOperationsAreNeverBelowTheExactResult) {
  for (std::uint32_t n = 0; n < 20000; ++n) {
    const double a = magnitude(n, 0);
    const double b = magnitude(n, 1);
    ASSERT_TRUE(Ball(a) + Ball(b) <= Ball(sum_up(a, b))) << a << " + " << b;
    ASSERT_TRUE(Ball(a) * Ball(b) <= Ball(product_up(a, b))) << a << " * " << b;
    if (b > 0) {
      ASSERT_TRUE(Ball(a) <= Ball(quotient_up(a, b)) * Ball(b)) << a << " / " << b;
    }
    if (a >= b) {
      ASSERT_TRUE(Ball(difference_down(a, b)) <= Ball(a) - Ball(b)) << a << " - " << b;
    }
  }
}

TEST(Upward, KeepsExactZeros) {
  EXPECT_EQ(sum_up(0, 0), 0);
  EXPECT_EQ(product_up(0, kInfinity), 0);
  EXPECT_EQ(quotient_up(0, 3), 0);
  EXPECT_EQ(inflate(0, 10), 0);
}

TEST(Upward, TakesNaNForInfinity) {
  EXPECT_EQ(inflate(std::numeric_limits<double>::quiet_NaN(), 1), kInfinity);
  EXPECT_EQ(inflate(kInfinity, 1), kInfinity);
  EXPECT_EQ(difference_down(kInfinity, kInfinity), 0);
}

TEST(Upward, AnInflatedSumOfProductsIsNeverBelowAndBarelyAbove) {
  for (std::uint32_t trial = 0; trial < 200; ++trial) {
    double computed = 0;
    Ball exact;
    const Index terms = 1 + 5 * trial;
    for (std::uint32_t n = 0; n < terms; ++n) {
      const double a = uniform(trial, {41, 0, 0, n, 0}) + kSmallest;
      const double b = uniform(trial, {41, 0, 0, n, 1}) * 0.1;
      computed += a * b;
      exact += Ball(a) * Ball(b);
    }
    const double bound = inflate(computed, terms + 1, terms);
    ASSERT_TRUE(exact <= Ball(bound));
    ASSERT_LE(bound, exact.ends().hi * (1 + 0x1p-38));
  }
}

// Half of (4n + 1) 2^-1074 is a tie that rounds down to even: every term is half a unit short.
TEST(Upward, AnInflatedSumCoversProductsThatUnderflowed) {
  double computed = 0;
  Ball exact;
  for (int n = 0; n < 100; ++n) {
    const double a = (4 * n + 1) * kSmallest;
    computed += a * 0.5;
    exact += Ball(a) * Ball(0.5);
  }
  EXPECT_FALSE(exact <= Ball(computed));
  EXPECT_TRUE(exact <= Ball(inflate(computed, 101, 100)));
}

}  // namespace
}  // namespace attest::upward_test
