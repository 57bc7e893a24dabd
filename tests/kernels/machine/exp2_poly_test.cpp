// Goal: exp2_poly keeps its promises on every binary32 argument (error-analysis.md, Lemma 7).
//
// From 2^-25 to 128, both signs, arguments are enumerated. Below 2^-25 the result is 1, and outside
// [-126, 128) it is 0 or an infinity: a comparison decides, which is checked at the borders and in
// samples here and pattern by pattern in the soak.
#include "kernels/machine/exp2_poly.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/machine/exp2_by_series.hpp"
#include "tests/kernels/machine/sweep.hpp"

namespace attest::exp2_poly_test {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kFirst = 0x3300'0000;  // 2^-25
constexpr std::uint32_t kEnd = 0x4300'0000;    // 128
constexpr std::uint32_t kSign = 0x8000'0000;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float pattern(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Found {
  std::int64_t outside = 0;    // of the declared error
  std::int64_t near = 0;       // to the declared error: within 1 % of it
  std::int64_t falling = 0;    // neighbours in the wrong order
  std::int64_t above_one = 0;  // for negative arguments
};

// The arguments of one block of patterns, and the first of the next.
void judge_block(std::uint32_t first, Found& found) {
  // Plain loops over arrays, counts in the type that is compared: the compiler makes vectors of
  // them.
  float y[kBlock + 1];
  double power[kBlock];
  for (std::uint32_t i = 0; i <= kBlock; ++i) y[i] = exp2_poly(pattern(first + i));
  for (std::uint32_t i = 0; i < kBlock; ++i) power[i] = exp2_by_series(pattern(first + i));
  constexpr double kBound = kExp2PolyError - 2 * kSeriesError;
  std::int64_t within = 0, far = 0;
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const double error = std::fabs(y[i] - power[i]);
    within += error <= kBound * power[i] ? 1 : 0;
    far += error <= 0.99 * kExp2PolyError * power[i] ? 1 : 0;
  }
  const bool negative = first >= kSign;
  const float sign = negative ? -1.0F : 1.0F;
  std::int32_t rising = 0, high = 0;
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    rising += sign * y[i] <= sign * y[i + 1] ? 1 : 0;
    high += y[i] > 1 ? 1 : 0;
  }
  found.outside += kBlock - within;
  found.near += kBlock - far;
  found.falling += kBlock - rising;
  if (negative) found.above_one += high;
}

Found judge_all(std::uint32_t first, std::uint32_t end) {
  Found all;
  for (const Found& part : sweep<Found>(first / kBlock, end / kBlock, [](auto block, Found&found) {
         judge_block(block * kBlock, found);
       })) {
    all.outside += part.outside;
    all.near += part.near;
    all.falling += part.falling;
    all.above_one += part.above_one;
  }
  return all;
}

TEST(Exp2Poly, ErrsByAtMostItsDeclaredErrorAndNeverDecreasesOnPositiveArguments) {
  const Found found = judge_all(kFirst, kEnd);
  EXPECT_EQ(found.outside, 0);
  EXPECT_EQ(found.falling, 0);
  EXPECT_GT(found.near, 0) << "the declared error is larger than it need be";
}

TEST(Exp2Poly, ErrsByAtMostItsDeclaredErrorAndNeverDecreasesOnNegativeArguments) {
  constexpr std::uint32_t kLowest = 0xc2fc'0000;  // -126
  const Found found = judge_all(kSign | kFirst, kLowest);
  EXPECT_EQ(found.outside, 0);
  EXPECT_EQ(found.falling, 0);
  EXPECT_EQ(found.above_one, 0);
  EXPECT_EQ(exp2_poly(pattern(kLowest)), 0x1p-126f);
}

TEST(Exp2Poly, IsExactAtIntegers) {
  for (int n = -126; n < 128; ++n) {
    EXPECT_EQ(exp2_poly(static_cast<float>(n)), std::ldexp(1.0F, n)) << n;
  }
  EXPECT_EQ(exp2_poly(-0.0F), 1);
}

TEST(Exp2Poly, IsOneWhereTheArgumentIsTiny) {
  for (std::uint32_t bits = 0; bits < kFirst; bits += 4093) {
    ASSERT_EQ(exp2_poly(pattern(bits)), 1) << std::hexfloat << pattern(bits);
    ASSERT_EQ(exp2_poly(pattern(kSign | bits)), 1) << std::hexfloat << -pattern(bits);
  }
  EXPECT_EQ(exp2_poly(pattern(kFirst - 1)), 1);
  EXPECT_EQ(exp2_poly(pattern(kSign | (kFirst - 1))), 1);
}

TEST(Exp2Poly, EndsInInfinityAndInZero) {
  EXPECT_EQ(exp2_poly(128), kInfinity);
  EXPECT_LT(exp2_poly(std::nextafter(128.0F, 0.0F)), kInfinity);
  EXPECT_EQ(exp2_poly(std::nextafter(-126.0F, -127.0F)), 0);
  for (std::uint32_t bits = kEnd; bits <= 0x7f80'0000; bits += 4096) {
    ASSERT_EQ(exp2_poly(pattern(bits)), kInfinity);
    const float low = exp2_poly(pattern(kSign | bits));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(low), 0U);
  }
}

TEST(Exp2Poly, KeepsNaN) {
  for (std::uint32_t bits = 0x7f80'0001; bits < kSign; bits += 4095) {
    ASSERT_TRUE(std::isnan(exp2_poly(pattern(bits))));
    ASSERT_TRUE(std::isnan(exp2_poly(pattern(kSign | bits))));
  }
}

}  // namespace
}  // namespace attest::exp2_poly_test
