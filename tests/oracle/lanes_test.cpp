// Goal: the exponential of eight lanes stays within its proved error, to the end of its range, and
// no lane knows of its neighbours.
#include "oracle/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "oracle/real.hpp"

namespace attest::lanes_test {
namespace {

// |log e^ - x| for e^ = exp_of(x).
double log_error(double x) {
  Real<50> log;
  mpfr_set_d(raw(log), exp_of(x), MPFR_RNDN);
  mpfr_log(raw(log), raw(log), MPFR_RNDN);
  mpfr_sub_d(raw(log), raw(log), x, MPFR_RNDN);
  return std::fabs(to_double(log, MPFR_RNDA));
}

TEST(Lanes, ExponentialErrsByAtMostItsProvedError) {
  double worst = 0;
  for (std::uint32_t n = 0; n < 20'000; ++n) {
    const double u = uniform(1, {0, 0, 0, n, 0});
    for (const double x :
         {-708 * u, -u, -u * 0x1p-20, -std::floor(1022 * u) * 0x1.62e42fefa39efp-2}) {
      if (x >= kLeastExponent) worst = std::max(worst, log_error(x));
    }
  }
  EXPECT_LE(worst, kExpLogError);
  EXPECT_GE(worst, kExpLogError / 8);  // the bound is about this function
}

TEST(Lanes, ExponentialIsExactAtZeroAndStaysNormalBelowItsRange) {
  EXPECT_EQ(exp_of(0.0), 1);
  EXPECT_EQ(exp_of(-0.0), 1);
  const double least = exp_of(kLeastExponent);
  EXPECT_GE(least, std::numeric_limits<double>::min());
  EXPECT_EQ(exp_of(-1e300), least);
  EXPECT_EQ(exp_of(-std::numeric_limits<double>::infinity()), least);
}

TEST(Lanes, DoNotKnowOfEachOther) {
  const Lanes x = {0, -1, -708, -1e300, -0x1p-60, -20.5, -700, -0.34};
  const Lanes e = exp_of(x);
  for (int lane = 0; lane < kLanes; ++lane) EXPECT_EQ(e[lane], exp_of(x[lane])) << lane;
}

}  // namespace
}  // namespace attest::lanes_test
