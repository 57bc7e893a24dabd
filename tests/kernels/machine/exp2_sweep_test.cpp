// Goal: what the fast tests conclude about exp2_poly, log_poly and the correctly rounded model
// holds on each of the 2^32 patterns of binary32, one by one and without any reduction.
#include <gtest/gtest.h>

#include "kernels/machine/exp2_model.hpp"
#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"
#include "tests/kernels/machine/exp2_by_series.hpp"
#include "tests/kernels/machine/log_by_series.hpp"
#include "tests/kernels/machine/sweep.hpp"

namespace attest::exp2_sweep_test {
namespace {

constexpr std::uint32_t kBlock = 1 << 16;

// Patterns for which `holds(x)` is not true.
template <class Holds>
std::int64_t exceptions(const Holds& holds) {
  std::int64_t all = 0;
  for (const std::int64_t part :
       sweep<std::int64_t>(0, 1 << 16, [&](std::uint32_t block, std::int64_t&found) {
         for (std::uint32_t i = 0; i < kBlock; ++i) {
           found += holds(std::bit_cast<float>(block * kBlock + i)) ? 0 : 1;
         }
       })) {
    all += part;
  }
  return all;
}

TEST(Exp2Sweep, PolyKeepsItsPromiseOnEveryPattern) {
  EXPECT_EQ(exceptions([](float x) {
              const float y = exp2_poly(x);
              if (std::isnan(x)) return std::isnan(y);
              if (x >= 128) return y > 0 && std::isinf(y);
              if (x < -126) return std::bit_cast<std::uint32_t>(y) == 0;
              const double power = exp2_by_series(x);
              return std::fabs(y - power) <= (kExp2PolyError - 2 * kSeriesError) * power &&
                     (x > 0 || y <= 1);
            }),
            0);
}

TEST(Exp2Sweep, TheCorrectlyRoundedModelIsSoOnEveryPattern) {
  EXPECT_EQ(exceptions([](float x) {
              const float y = exp2_of({}, x);
              if (std::isnan(x)) return std::isnan(y);
              if (x >= 128) return y > 0 && std::isinf(y);
              if (x < -151) return std::bit_cast<std::uint32_t>(y) == 0;
              return y == exp2_rounded(x);
            }),
            0);
}

TEST(Exp2Sweep, LogPolyKeepsItsPromiseOnEveryPattern) {
  EXPECT_EQ(exceptions([](float x) {
              const float y = log_poly(x);
              if (std::isnan(x) || x < 0) return std::isnan(y);
              if (x == 0) return y < 0 && std::isinf(y);
              if (std::isinf(x)) return y > 0 && std::isinf(y);
              const double exact = log_by_series(x);
              return std::fabs(y - exact) <=
                     (kLogPolyError - 2 * kLogSeriesError) * std::fabs(exact);
            }),
            0);
}

}  // namespace
}  // namespace attest::exp2_sweep_test
