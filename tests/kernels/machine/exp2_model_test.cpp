// Goal: each model of exp2_approx keeps its promises (error-analysis.md, Lemma 9).
#include "kernels/machine/exp2_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "tests/kernels/machine/exp2_by_series.hpp"
#include "tests/kernels/machine/sweep.hpp"

namespace attest::exp2_model_test {
namespace {

using Kind = Exp2Model::Kind;
constexpr Kind kKinds[] = {Kind::exact_rn, Kind::random, Kind::worst_high, Kind::worst_low,
                           Kind::worst_mixed};
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kSign = 0x8000'0000;
constexpr std::uint32_t kBlock = 1024;

float pattern(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// Calls with samples of all arguments whose power is neither 0 nor an infinity, and their ends.
template <class Visit>
void visit_arguments(const Visit& visit) {
  for (std::uint32_t bits = 0x3000'0000; bits < 0x4300'0000; bits += 10'007) visit(pattern(bits));
  for (std::uint32_t bits = 0x3000'0000; bits < 0x4320'0000; bits += 10'007) visit(-pattern(bits));
  for (std::uint32_t bits = 0x42f0'0000; bits < 0x4317'0000; bits += 101) visit(-pattern(bits));
  for (int n = -151; n < 128; ++n) {
    const auto x = static_cast<float>(n);
    for (const float near : {std::nextafter(x, -kInfinity), x, std::nextafter(x, kInfinity)}) {
      visit(near);
    }
  }
}

// How far 2^x lies from the nearest middle between two binary32, relatively.
double distance_to_middle(float x) {
  mpfr_t power, middle;
  mpfr_inits2(200, power, middle, nullptr);
  mpfr_set_flt(power, x, MPFR_RNDN);
  mpfr_exp2(power, power, MPFR_RNDN);
  const float below = mpfr_get_flt(power, MPFR_RNDD);
  const float above = mpfr_get_flt(power, MPFR_RNDU);
  mpfr_set_d(middle, (static_cast<double>(below) + above) / 2, MPFR_RNDN);
  mpfr_sub(middle, middle, power, MPFR_RNDN);
  mpfr_div(middle, middle, power, MPFR_RNDN);
  const double distance = std::fabs(mpfr_get_d(middle, MPFR_RNDN));
  mpfr_clears(power, middle, nullptr);
  return distance;
}

// Arguments of one block whose power comes so close to the middle between two binary32 (2^-46,
// relatively) that a binary64 exponential could be led astray, if rounding it is not right.
struct Found {
  std::int64_t close = 0;
  std::int64_t within_an_ulp =
      0;  // of binary64, that is, 2^-52: the arguments that the model lists
  std::int64_t wrong = 0;
};

void judge_close_ones(std::uint32_t block, Found& found) {
  std::int64_t offset[kBlock];  // from the middle, in units of the last place of binary64
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const double power = exp2_by_series(pattern(block * kBlock + i));
    constexpr std::int64_t kMiddle = 1 << 28;
    offset[i] = (std::bit_cast<std::int64_t>(power) & (2 * kMiddle - 1)) - kMiddle;
  }
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    if (offset[i] < -64 || offset[i] > 64) continue;
    const float x = pattern(block * kBlock + i);
    ++found.close;
    found.within_an_ulp += distance_to_middle(x) < 0x1p-52 ? 1 : 0;
    found.wrong += exp2_of({}, x) == exp2_by_mpfr(x) ? 0 : 1;
  }
}

TEST(Exp2Model, RoundsCorrectlyWhereverTheMiddleIsNear) {
  Found all;
  for (const std::uint32_t sign : {0U, kSign}) {
    for (const Found& part : sweep<Found>((sign | 0x3300'0000) / kBlock,
                                          (sign | 0x4300'0000) / kBlock, judge_close_ones)) {
      all.close += part.close;
      all.within_an_ulp += part.within_an_ulp;
      all.wrong += part.wrong;
    }
  }
  EXPECT_EQ(all.wrong, 0);
  EXPECT_EQ(all.within_an_ulp, 5);
  EXPECT_GT(all.close, 100);
}

TEST(Exp2Model, RoundsCorrectlyOnSamples) {
  visit_arguments(
      [](float x) { ASSERT_EQ(exp2_of({}, x), exp2_rounded(x)) << std::hexfloat << x; });
}

TEST(Exp2Model, RoundsCorrectlyOnEverySubnormalResult) {
  for (std::uint32_t bits = 0x42fc'0000; bits <= 0x4317'0000; ++bits) {
    const float x = -pattern(bits);
    ASSERT_EQ(exp2_of({}, x), exp2_rounded(x)) << std::hexfloat << x;
  }
}

TEST(Exp2Model, StaysWithinItsDeclaredErrorAndSpendsIt) {
  for (const Kind kind : kKinds) {
    for (const double ulps : {0.0, 0.5, 1.0, 2.0, 3.7, 0x1p20}) {
      for (const bool flush : {false, true}) {
        const Exp2Model model{kind, ulps, flush, 5};
        const double eps = relative_error(model);
        const double eta = flush ? 0x1p-126 : 0x1p-150;
        double most = 0;
        visit_arguments([&](float x) {
          const double power = exp2_by_series(x);
          const float y = exp2_of(model, x);
          const double error = std::fabs(y - power);
          ASSERT_GE(y, 0);
          ASSERT_LE(error, eps * power + eta + 2 * kSeriesError * power)
              << std::hexfloat << x << " " << y << " ulps " << ulps;
          if (x > -126) most = std::max(most, error / power);
        });
        // The last conversion never goes beyond `ulps`, so a fraction of an ulp is seldom spent.
        const double spent = kind == Kind::exact_rn ? 0 : std::floor(ulps);
        EXPECT_GE(most, 0.95 * (spent + 0.5) * 0x1p-23) << ulps;
      }
    }
  }
}

TEST(Exp2Model, KeepsWhatEveryExponentialPromises) {
  for (const Kind kind : kKinds) {
    for (const bool flush : {false, true}) {
      const Exp2Model model{kind, 2, flush, 9};
      for (const float tiny : {0.0F, 0x1p-149F, 0x1.fffffcp-127F}) {
        EXPECT_EQ(exp2_of(model, tiny), 1);
        EXPECT_EQ(exp2_of(model, -tiny), 1);
      }
      EXPECT_EQ(exp2_of(model, kInfinity), kInfinity);
      EXPECT_EQ(exp2_of(model, 128), kInfinity);
      EXPECT_EQ(exp2_of(model, 3e38F), kInfinity);
      EXPECT_LT(exp2_of(model, std::nextafter(128.0F, 0.0F)), kInfinity);
      for (const float low : {-kInfinity, -3e38F, -1000.0F, -152.0F}) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(exp2_of(model, low)), 0U);
      }
      EXPECT_TRUE(std::isnan(exp2_of(model, std::nanf(""))));
    }
  }
}

TEST(Exp2Model, FlushesResultsBelowTheNormalRangeOnRequestOnly) {
  EXPECT_EQ(exp2_of({Kind::exact_rn, 0, true, 0}, -126), 0x1p-126F);
  EXPECT_EQ(exp2_of({Kind::exact_rn, 0, true, 0}, -127), 0);
  EXPECT_EQ(exp2_of({Kind::exact_rn, 0, false, 0}, -127), 0x1p-127F);
  EXPECT_EQ(exp2_of({Kind::worst_low, 2, true, 0}, -126), 0);  // moved below, then flushed
}

TEST(Exp2Model, IsTheWorstOnTheSideItsNameSays) {
  EXPECT_EQ(exp2_of({Kind::worst_high, 2, false, 0}, 3), 8 + 2 * 0x1p-20F);
  EXPECT_EQ(exp2_of({Kind::worst_low, 2, false, 0}, 3), 8 - 2 * 0x1p-20F);
}

// Distances from the correctly rounded result, in ulps, at arguments whose power is not near a
// power of two.
std::set<float> distances(const Exp2Model& model) {
  std::set<float> seen;
  for (int n = 0; n < 2000; ++n) {
    const float x = 0.25F + 0x1p-13F * static_cast<float>(n);
    seen.insert((exp2_of(model, x) - exp2_of({}, x)) * 0x1p23F);
  }
  return seen;
}

TEST(Exp2Model, DrawsEveryDistanceItMay) {
  EXPECT_EQ(distances({Kind::random, 2, false, 1}), (std::set<float>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(distances({Kind::worst_mixed, 2, false, 1}), (std::set<float>{-2, 2}));
}

TEST(Exp2Model, IsAFunctionOfTheSeedAndTheArgument) {
  int same = 0;
  for (int n = 0; n < 1000; ++n) {
    const float x = -0.013F * static_cast<float>(n);
    const float once = exp2_of({Kind::random, 2, false, 1}, x);
    EXPECT_EQ(exp2_of({Kind::random, 2, false, 1}, x), once);
    same += exp2_of({Kind::random, 2, false, 2}, x) == once ? 1 : 0;
  }
  EXPECT_GT(same, 100);  // a fifth
  EXPECT_LT(same, 300);
}

}  // namespace
}  // namespace attest::exp2_model_test
