// Goal: the survey of exp2_poly and log_poly sees one wrong bit as one difference, takes all NaNs
// for one, and finds none where the machine is the host itself.
#include "kernels/device/poly_survey.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/machine/emulator.hpp"

namespace attest::poly_survey_test {
namespace {

constexpr std::int64_t kCount = 1000;
constexpr SweptFunction kFunctions[] = {SweptFunction::exp2_poly, SweptFunction::log_poly};

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

std::vector<float> on_emulator(SweptFunction function, std::uint32_t first) {
  Emulator emulator(Emulation{});
  std::vector<float> y = function_values(emulator, function, first, kCount);
  EXPECT_TRUE(emulator.report().clean());
  return y;
}

TEST(PolySurvey, FindsNoDifferenceOnTheEmulator) {
  for (const SweptFunction function : kFunctions) {
    // Normal values, the border to NaN, and the last patterns of all.
    for (const std::uint32_t first : {bits(0.7f), 0x7f80'0000u - 500, 0u - 1000}) {
      const PolySurvey survey = survey_poly(function, first, on_emulator(function, first), 1);
      EXPECT_EQ(survey.compared, kCount);
      EXPECT_EQ(survey.different, 0) << to_text(survey);
    }
  }
}

TEST(PolySurvey, ComparesEachFunctionWithItself) {
  const std::uint32_t first = bits(3.0f);
  const std::vector<float> y = on_emulator(SweptFunction::exp2_poly, first);
  EXPECT_EQ(y[0], 8.0f);
  EXPECT_EQ(survey_poly(SweptFunction::log_poly, first, y, 1).different, kCount);
}

TEST(PolySurvey, SeesOneBitAndSaysWhere) {
  const std::uint32_t first = bits(3.0f);
  std::vector<float> y = on_emulator(SweptFunction::exp2_poly, first);
  y[0] = std::nextafter(y[0], 9.0f);
  y[700] = std::nextafter(y[700], 9.0f);
  const PolySurvey survey = survey_poly(SweptFunction::exp2_poly, first, y, 1);
  EXPECT_EQ(survey.different, 2);
  EXPECT_EQ(to_text(survey),
            "  compared 1000, different 2\n  first at 40400000: 41000001 there, 41000000 here\n");
}

TEST(PolySurvey, TellsZerosApartAndNotNaNs) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  PolySurvey survey;
  survey.add(bits(-kNan), -kNan, kNan);
  EXPECT_EQ(survey.different, 0);
  survey.add(bits(-200.0f), -0.0f, 0.0f);
  EXPECT_EQ(survey.different, 1);
  survey.add(bits(1.0f), kNan, 2.0f);
  EXPECT_EQ(survey.different, 2);
  EXPECT_EQ(survey.first_different, bits(-200.0f));
}

TEST(PolySurvey, IsTheSameForAnyNumberOfThreads) {
  const std::uint32_t first = bits(0.5f);
  std::vector<float> y = on_emulator(SweptFunction::log_poly, first);
  for (const std::size_t i : {333u, 334u, 900u}) y[i] = -y[i];
  const PolySurvey one = survey_poly(SweptFunction::log_poly, first, y, 1);
  EXPECT_EQ(one.different, 3);
  EXPECT_EQ(to_text(one), to_text(survey_poly(SweptFunction::log_poly, first, y, 7)));
}

}  // namespace
}  // namespace attest::poly_survey_test
