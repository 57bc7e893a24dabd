// Goal: log_poly keeps its promises on every binary32 argument (error-analysis.md, Lemma 8).
//
// Every positive finite argument is enumerated, all exponents of one block of fractions together,
// since they share the logarithms of the fractions.
#include "kernels/machine/log_poly.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/machine/log_by_series.hpp"
#include "tests/kernels/machine/sweep.hpp"

namespace attest::log_poly_test {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kFractions = 0x0080'0000;
constexpr std::uint32_t kSign = 0x8000'0000;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float pattern(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Found {
  std::int64_t judged = 0;
  std::int64_t within = 0;  // the declared error
  std::int64_t far = 0;     // from the declared error: within 99 % of it
};

// Arguments first, first + 1, ... against their logarithms.
void judge_block(std::uint32_t first, const double (&exact)[kBlock], Found& found) {
  constexpr double kBound = kLogPolyError - 2 * kLogSeriesError;
  float y[kBlock];
  for (std::uint32_t i = 0; i < kBlock; ++i) y[i] = log_poly(pattern(first + i));
  std::int64_t within = 0, far = 0;
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const double error = std::fabs(y[i] - exact[i]);
    within += error <= kBound * std::fabs(exact[i]) ? 1 : 0;
    far += error <= 0.99 * kLogPolyError * std::fabs(exact[i]) ? 1 : 0;
  }
  found.judged += kBlock;
  found.within += within;
  found.far += far;
}

void judge_normal(std::uint32_t block, Found& found) {
  const std::uint32_t first = block * kBlock;
  const bool upper = first >= kFractions / 2;  // 1.5 and above: halved, with the next exponent
  double log_of_m[kBlock];
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const double m = pattern(0x3f80'0000 + first + i);
    log_of_m[i] = log_of_fraction(upper ? m / 2 : m);
  }
  for (std::uint32_t exponent = 1; exponent < 255; ++exponent) {
    const int k = static_cast<int>(exponent) - 127 + (upper ? 1 : 0);
    double exact[kBlock];
    for (std::uint32_t i = 0; i < kBlock; ++i) exact[i] = log_by_series(k, log_of_m[i]);
    judge_block(exponent * kFractions + first, exact, found);
  }
}

void judge_subnormal(std::uint32_t block, Found& found) {
  double exact[kBlock];
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const std::uint32_t bits = block * kBlock + i;
    exact[i] = bits == 0 ? -static_cast<double>(kInfinity) : log_by_series(pattern(bits));
  }
  judge_block(block * kBlock, exact, found);
}

template <class Work>
Found judge_all(const Work& work) {
  Found all;
  for (const Found& part : sweep<Found>(0, kFractions / kBlock, work)) {
    all.judged += part.judged;
    all.within += part.within;
    all.far += part.far;
  }
  return all;
}

TEST(LogPoly, ErrsByAtMostItsDeclaredErrorOnEveryNormalArgument) {
  const Found found = judge_all(judge_normal);
  EXPECT_EQ(found.judged, std::int64_t{254} * kFractions);
  EXPECT_EQ(found.within, found.judged);
  EXPECT_LT(found.far, found.judged) << "the declared error is larger than it need be";
}

TEST(LogPoly, ErrsByAtMostItsDeclaredErrorOnEverySubnormalArgument) {
  const Found found = judge_all(judge_subnormal);
  EXPECT_EQ(found.within, found.judged - 1);  // 0, whose logarithm is no number, is in the block
}

TEST(LogPoly, HasTheValuesOfTheEnds) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(log_poly(1)), 0U);
  EXPECT_EQ(log_poly(0.0F), -kInfinity);
  EXPECT_EQ(log_poly(-0.0F), -kInfinity);
  EXPECT_EQ(log_poly(kInfinity), kInfinity);
}

TEST(LogPoly, IsNaNForNegativeArgumentsAndForNaN) {
  EXPECT_TRUE(std::isnan(log_poly(-0x1p-149F)));
  EXPECT_TRUE(std::isnan(log_poly(-kInfinity)));
  for (std::uint32_t bits = kSign + 1; bits >= kSign; bits += 4095) {
    ASSERT_TRUE(std::isnan(log_poly(pattern(bits)))) << pattern(bits);
  }
  for (std::uint32_t bits = 0x7f80'0001; bits < kSign; bits += 4095) {
    ASSERT_TRUE(std::isnan(log_poly(pattern(bits))));
  }
}

}  // namespace
}  // namespace attest::log_poly_test
