// Goal: arguments are what the four forms compute, operation by operation; a constant that binary64
// cannot round for sure is not known.
#include "judge/known_arguments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::known_arguments_test {
namespace {

// So far from 0 that every rounding shows.
constexpr float kC = 0.7F;
constexpr float kScore = 1234.567F;
constexpr float kMaximum = 1235.891F;

TEST(KnownArguments, RoundAsEachFormDoes) {
  const KnownArguments difference(Exponent::difference_first, kC);
  EXPECT_EQ(difference.framed(kScore), kScore);
  EXPECT_EQ(difference.of_weight(kScore, kMaximum), (kScore - kMaximum) * kC);

  const KnownArguments scaled(Exponent::scaled_max, kC);
  EXPECT_EQ(scaled.framed(kScore), kScore * kC);
  EXPECT_EQ(scaled.of_weight(kScore, kMaximum), kScore - kMaximum);
  EXPECT_EQ(scaled.of_rise(kScore, kMaximum), kScore - kMaximum);

  const KnownArguments products(Exponent::product_first, kC);
  EXPECT_EQ(products.of_weight(kScore, kMaximum), kScore * kC - kMaximum * kC);

  const KnownArguments fused(Exponent::fused, kC);
  EXPECT_EQ(fused.of_weight(kScore, kMaximum), std::fma(kScore, kC, -(kMaximum * kC)));
  EXPECT_NE(fused.of_weight(kScore, kMaximum), products.of_weight(kScore, kMaximum));
  EXPECT_NE(fused.of_weight(kMaximum, kMaximum), 0);  // the residual of the shift

  for (const KnownArguments& one : {difference, products, fused}) {
    EXPECT_EQ(one.of_rise(kScore, kMaximum), (kScore - kMaximum) * kC);
  }
}

TEST(KnownArguments, ConstantsAreRoundedAsDeclared) {
  EXPECT_EQ(declared_constant(0.125F, ConstantRounding::once), 0.125F * 1.44269504F);
  int apart = 0;
  for (int n = 1; n < 200; ++n) {
    const float scale = 1 / static_cast<float>(n);
    const auto once = declared_constant(scale, ConstantRounding::once);
    ASSERT_TRUE(once);
    EXPECT_EQ(*once, static_cast<float>(static_cast<long double>(scale) * 1.442695040888963407L));
    apart += once != declared_constant(scale, ConstantRounding::log2e_first);
  }
  EXPECT_GT(apart, 0);
}

}  // namespace
}  // namespace attest::known_arguments_test
