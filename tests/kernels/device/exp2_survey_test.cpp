// Goal: the survey of a machine's exp2 sees an error of known size as that size, and everything
// outside the declaration, wherever it is; and its kernel asks for every argument once.
#include "kernels/device/exp2_survey.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/device/function_values.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest::exp2_survey_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

Exp2Survey of_one(float x, float y, bool flushed = false) {
  Exp2Survey survey;
  survey.add(bits(x), y, flushed);
  return survey;
}

TEST(Exp2Survey, MeasuresInUnitsInTheLastPlace) {
  const Exp2Survey exact = of_one(3.0f, 8.0f);
  EXPECT_EQ(exact.histogram[0], 1);
  EXPECT_EQ(exact.worst_relative, 0.0);
  const Exp2Survey two = of_one(3.0f, 8.0f + 2 * 0x1p-20f);
  EXPECT_EQ(two.histogram[2 * Exp2Survey::kBinsOfUlp], 1);
  EXPECT_EQ(two.worst_relative, 2 * 0x1p-23);
  EXPECT_EQ(two.worst_at, bits(3.0f));
  EXPECT_EQ(two.beyond, 0);
}

TEST(Exp2Survey, FindsWhatLiesBeyondTheDeclaration) {
  EXPECT_EQ(of_one(3.0f, 8.0f + 3 * 0x1p-20f).beyond, 1);  // 6 u
  EXPECT_EQ(of_one(3.0f, kNan).beyond, 1);
  EXPECT_EQ(of_one(3.0f, kNan).histogram[Exp2Survey::kBins - 1], 1);
  EXPECT_EQ(of_one(3.0f, kInf).beyond, 1);
  EXPECT_EQ(of_one(-140.0f, 0.0f).beyond, 1);  // 2^-140 is a binary32
  EXPECT_EQ(of_one(-140.0f, 0x1p-140f).beyond, 0);
  EXPECT_EQ(of_one(-140.0f, 0.0f, true).beyond, 0);
  EXPECT_EQ(of_one(-140.0f, 0x1p-124f, true).beyond, 1);
}

TEST(Exp2Survey, KnowsTheSpecialValues) {
  EXPECT_EQ(of_one(kNan, kNan).beyond, 0);
  EXPECT_EQ(of_one(kNan, 1.0f).beyond, 1);
  EXPECT_EQ(of_one(128.0f, kInf).beyond, 0);
  EXPECT_EQ(of_one(kInf, std::numeric_limits<float>::max()).beyond, 1);
  EXPECT_EQ(of_one(-kInf, 0.0f).beyond, 0);
  EXPECT_EQ(of_one(-kInf, -0.0f).beyond, 1);
  EXPECT_EQ(of_one(-0.0f, 1.0f).beyond, 0);
}

TEST(Exp2Survey, IsTheSameForAnyNumberOfThreads) {
  std::vector<float> y(1000, 1.0f);  // right for none but the smallest arguments
  const std::uint32_t first = bits(0x1p-24f) - 500;
  const Exp2Survey one = survey_exp2(first, y, false, 1), many = survey_exp2(first, y, false, 7);
  EXPECT_EQ(one.histogram, many.histogram);
  EXPECT_EQ(one.worst_at, many.worst_at);
  EXPECT_EQ(one.beyond, many.beyond);
  EXPECT_EQ(to_text(one), to_text(many));
}

TEST(Exp2Survey, SeesEveryArgumentThatTheKernelIsAskedFor) {
  Emulation emulation;
  emulation.exp2 = {Exp2Model::Kind::worst_high, 2};
  for (const bool flushed : {false, true}) {
    Emulator emulator(emulation);
    const std::uint32_t first = bits(1.0f);
    const std::vector<float> y = function_values(
        emulator, flushed ? SweptFunction::exp2_approx_flushed : SweptFunction::exp2_approx, first,
        1000);
    EXPECT_TRUE(emulator.report().clean());
    const Exp2Survey survey = survey_exp2(first, y, flushed, 1);
    EXPECT_EQ(survey.beyond, 0) << to_text(survey);
    std::int64_t counted = 0;
    for (const std::int64_t bin : survey.histogram) counted += bin;
    EXPECT_EQ(counted, 1000);
    EXPECT_GT(survey.worst_relative, 2 * 0x1p-24);  // two ulp are 2 u to 4 u
  }
}

}  // namespace
}  // namespace attest::exp2_survey_test
