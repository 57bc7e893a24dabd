// Goal: the series that judge exp2_poly and log_poly, and Ziv's test, agree with multiprecision.
#include "tests/kernels/machine/exp2_by_series.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "tests/kernels/machine/log_by_series.hpp"

namespace attest::exp2_by_series_test {
namespace {

constexpr std::uint32_t kSamples = 200'000;

class Wide {
 public:
  explicit Wide(double x) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  ~Wide() { mpfr_clear(value_); }
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;
  mpfr_ptr operator*() { return value_; }

  // |x - value| / |value|
  double relative_distance(double x) {
    Wide distance(x);
    mpfr_sub(*distance, *distance, value_, MPFR_RNDN);
    mpfr_div(*distance, *distance, value_, MPFR_RNDN);
    return std::fabs(mpfr_get_d(*distance, MPFR_RNDN));
  }

 private:
  mpfr_t value_;
};

std::uint32_t draw(std::uint32_t n) { return random_bits(11, {40, 0, 0, n, 0})[0]; }

TEST(Exp2BySeries, IsWithinItsErrorOfMultiprecision) {
  double worst = 0;
  for (std::uint32_t n = 0; n < kSamples; ++n) {
    const double x = n % 2 == 0 ? std::ldexp(draw(n), -32) - 0.5 : std::ldexp(draw(n), -24) - 128;
    const auto argument = static_cast<float>(x);
    Wide power(argument);
    mpfr_exp2(*power, *power, MPFR_RNDN);
    worst = std::max(worst, power.relative_distance(exp2_by_series(argument)));
  }
  EXPECT_LT(worst, kSeriesError);
  EXPECT_GT(worst, kSeriesError / 64);
}

TEST(LogBySeries, IsWithinItsErrorOfMultiprecision) {
  double worst = 0;
  for (std::uint32_t n = 0; n < kSamples; ++n) {
    const std::uint32_t bits = n % 2 == 0 ? 0x3f00'0000 + draw(n) % 0x0100'0000 : draw(n) >> 1;
    const auto argument = std::bit_cast<float>(bits);
    if (!(argument > 0 && std::isfinite(argument) && argument != 1)) continue;
    Wide logarithm(argument);
    mpfr_log(*logarithm, *logarithm, MPFR_RNDN);
    worst = std::max(worst, logarithm.relative_distance(log_by_series(argument)));
  }
  EXPECT_LT(worst, kLogSeriesError);
  EXPECT_GT(worst, kLogSeriesError / 64);
}

TEST(Exp2Rounded, IsTheRoundingOfMultiprecision) {
  for (std::uint32_t n = 0; n < kSamples; ++n) {
    const auto x = static_cast<float>(std::ldexp(draw(n), -23) - 256);
    ASSERT_EQ(exp2_rounded(x), exp2_by_mpfr(x)) << std::hexfloat << x;
  }
  EXPECT_EQ(exp2_rounded(-150), 0);  // a tie, to even
  EXPECT_EQ(exp2_rounded(-149), 0x1p-149F);
}

}  // namespace
}  // namespace attest::exp2_by_series_test
