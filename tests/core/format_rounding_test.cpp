// Goal: round_to_bits is the correctly rounded conversion. Two routes say so: the definition, at
// every place where the answer changes (midpoints, their binary64 neighbours, thresholds), and
// integer shifts on patterns spread over the whole of binary64.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/format.hpp"
#include "tests/core/format_by_integers.hpp"
#include "tests/core/rounding_probes.hpp"

namespace attest::format_rounding_test {
namespace {

constexpr Format kNarrow[] = {Format::f32, Format::f16, Format::bf16};
constexpr Rounding kBoth[] = {Rounding::nearest_even, Rounding::toward_zero};

::testing::AssertionResult rounds_alike(Format format, double value, Rounding rounding) {
  const std::uint64_t by_arithmetic = round_to_bits(format, value, rounding);
  const std::uint64_t by_shifts =
      by_integers::round(format, std::bit_cast<std::uint64_t>(value), rounding);
  if (!keeps(format, value, rounding, Overflow::special, by_arithmetic)) {
    return ::testing::AssertionFailure() << std::hexfloat << value << " is kept otherwise";
  }
  if (by_arithmetic == by_shifts) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << std::hexfloat << value << " in " << shape_of(format).name << " is " << std::hex
         << by_arithmetic << ", by shifts " << by_shifts;
}

TEST(FormatRounding, IsCorrectAtEveryMidpointOfTheSixteenBitFormats) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const std::uint64_t infinity = by_integers::layout_of(format).infinity();
    for (std::uint64_t n = 0; n < infinity; ++n) ASSERT_TRUE(rounds_by_definition(format, n));
  }
}

TEST(FormatRounding, IsCorrectAtMidpointsInEveryBinadeOfBinary32) {
  for (std::uint64_t binade = 0; binade < 255; ++binade) {
    for (std::uint64_t fraction = 0; fraction <= 0x7fffff; fraction += 0x7fff) {
      ASSERT_TRUE(rounds_by_definition(Format::f32, binade << 23 | fraction));
    }
    for (const std::uint64_t edge : {0x1u, 0x3fffffu, 0x400000u, 0x7ffffeu, 0x7fffffu}) {
      ASSERT_TRUE(rounds_by_definition(Format::f32, binade << 23 | edge));
    }
  }
}

TEST(FormatRounding, AgreesWithShiftsInEveryBinadeOfBinary64) {
  std::uint64_t scramble = 1;
  for (std::uint64_t binade = 0; binade < 4096; ++binade) {
    for (int draw = 0; draw < 64; ++draw) {
      scramble = scramble * 6364136223846793005u + 1442695040888963407u;
      // Half of the draws end in zeros, so that ties and exact values are met in every binade.
      const std::uint64_t fraction = scramble >> 12 & ~std::uint64_t{0}
                                                          << (draw % 2 == 0 ? 0 : draw % 52);
      const std::uint64_t wide = binade << 52 | fraction;
      if (std::isnan(std::bit_cast<double>(wide))) continue;
      for (const Format format : kNarrow) {
        for (const Rounding rounding : kBoth) {
          ASSERT_TRUE(rounds_alike(format, std::bit_cast<double>(wide), rounding));
        }
      }
    }
  }
}

TEST(FormatRounding, OfBinary32AgreesWithTheProcessor) {
  std::uint64_t scramble = 7;
  for (int draw = 0; draw < 1'000'000; ++draw) {
    scramble = scramble * 6364136223846793005u + 1442695040888963407u;
    // Exponents from below the smallest subnormal of binary32 to beyond its largest value.
    const double value = std::ldexp(static_cast<double>(scramble >> 11), draw % 300 - 160 - 52);
    const auto narrow = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    ASSERT_EQ(round_to_bits(Format::f32, value), narrow) << std::hexfloat << value;
  }
}

TEST(FormatRounding, OverflowBeginsAtTheThreshold) {
  for (const Format format : kNarrow) {
    const std::uint64_t infinity = by_integers::layout_of(format).infinity();
    const double threshold = overflow_threshold(format);
    const double below = std::nextafter(threshold, 0.0);
    EXPECT_EQ(round_to_bits(format, threshold), infinity);
    EXPECT_EQ(round_to_bits(format, below), infinity - 1);
    EXPECT_EQ(round_to_bits(format, std::numeric_limits<double>::max()), infinity);
    for (const double huge : {threshold, 2 * threshold, std::numeric_limits<double>::max()}) {
      EXPECT_EQ(round_to_bits(format, huge, Rounding::toward_zero), infinity - 1);
    }
    for (const Rounding rounding : kBoth) {
      EXPECT_EQ(round_to_bits(format, std::numeric_limits<double>::infinity(), rounding), infinity);
    }
  }
}

TEST(FormatRounding, UnderflowKeepsTheSignAndTiesToZero) {
  for (const Format format : kNarrow) {
    const std::uint64_t sign = by_integers::layout_of(format).sign();
    const double half = smallest_subnormal(format) / 2;
    EXPECT_EQ(round_to_bits(format, half), 0u);
    EXPECT_EQ(round_to_bits(format, -half), sign);
    EXPECT_EQ(round_to_bits(format, std::nextafter(half, 1.0)), 1u);
    EXPECT_EQ(round_to_bits(format, std::nextafter(half, 0.0)), 0u);
    EXPECT_EQ(round_to_bits(format, -std::numeric_limits<double>::denorm_min()), sign);
    EXPECT_EQ(round_to_bits(format, std::nextafter(2 * half, 0.0), Rounding::toward_zero), 0u);
  }
}

TEST(FormatRounding, UndoesWideningOnEveryPattern) {
  for (const Format format : {Format::f16, Format::bf16}) {
    for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) {
      if (classify(format, bits) == ValueClass::nan) continue;
      for (const Rounding rounding : kBoth) {
        ASSERT_EQ(round_to_bits(format, widen_bits(format, bits), rounding), bits);
      }
    }
  }
}

TEST(FormatRounding, OfBinary64IsTheIdentityOnNumbers) {
  std::uint64_t scramble = 3;
  for (int draw = 0; draw < 100'000; ++draw) {
    scramble = scramble * 6364136223846793005u + 1442695040888963407u;
    const auto value = std::bit_cast<double>(scramble);
    if (std::isnan(value)) continue;
    for (const Rounding rounding : kBoth) {
      ASSERT_EQ(round_to_bits(Format::f64, value, rounding), scramble);
    }
  }
}

TEST(FormatRounding, OfANanIsTheFormatsOwnNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double either_sign : {nan, -nan}) {
    EXPECT_EQ(round_to_bits(Format::f16, either_sign), 0x7fffu);
    EXPECT_EQ(round_to_bits(Format::bf16, either_sign), 0x7fffu);
    EXPECT_EQ(round_to_bits(Format::f32, either_sign), 0x7fc0'0000u);
    EXPECT_EQ(round_to_bits(Format::f64, either_sign), 0x7ff8'0000'0000'0000u);
  }
}

TEST(FormatRounding, RoundToFormatIsRoundingThenWidening) {
  EXPECT_EQ(round_to_format(Format::bf16, 1.0 + 0x1p-8), 1.0);
  EXPECT_EQ(round_to_format(Format::bf16, 1.0 + 0x1p-7), 1.0 + 0x1p-7);
  EXPECT_EQ(round_to_format(Format::f16, 65519.999), 65504.0);
  EXPECT_EQ(round_to_format(Format::f16, 65519.999, Rounding::toward_zero), 65504.0);
  EXPECT_EQ(round_to_format(Format::f16, 65520.0), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace attest::format_rounding_test
