// Goal: a pattern of any format means the number that IEEE 754 says, and the constants, classes and
// distances that others take from core/format agree with the patterns themselves.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/format.hpp"
#include "tests/core/format_by_integers.hpp"

namespace attest::format_widening_test {
namespace {

std::uint64_t pattern(double value) { return std::bit_cast<std::uint64_t>(value); }

// Compares one pattern by both routes; a NaN needs to be one, and to keep its sign.
::testing::AssertionResult widens_alike(Format format, std::uint64_t bits) {
  const std::uint64_t by_arithmetic = pattern(widen_bits(format, bits));
  const std::uint64_t by_shifts = by_integers::widen(format, bits);
  const bool nan = (by_shifts & ~by_integers::kSign64) > by_integers::kInfinity64;
  const bool same = nan ? std::isnan(std::bit_cast<double>(by_arithmetic)) &&
                              (by_arithmetic >> 63) == (by_shifts >> 63)
                        : by_arithmetic == by_shifts;
  if (same) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << shape_of(format).name << " " << std::hex << bits << " widens to " << by_arithmetic
         << ", by shifts to " << by_shifts;
}

TEST(FormatWidening, IsExactOnEveryPatternOfTheSixteenBitFormats) {
  for (const Format format : {Format::f16, Format::bf16}) {
    for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) ASSERT_TRUE(widens_alike(format, bits));
  }
}

TEST(FormatWidening, IsExactOnAStrideThroughBinary32ThatMeetsEveryResidue) {
  // 1021 is odd, so the stride would visit all 2^32 patterns if it went round 1021 times.
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 1021) {
    ASSERT_TRUE(widens_alike(Format::f32, bits));
  }
}

TEST(FormatWidening, IsExactAtTheEdgesOfEveryBinadeOfBinary32) {
  for (std::uint64_t binade = 0; binade < 512; ++binade) {
    for (const std::uint64_t edge :
         {0x0u, 0x1u, 0x2u, 0x3fffffu, 0x400000u, 0x400001u, 0x7ffffeu, 0x7fffffu}) {
      ASSERT_TRUE(widens_alike(Format::f32, binade << 23 | edge));
    }
    for (int bit = 0; bit < 23; ++bit) {
      ASSERT_TRUE(widens_alike(Format::f32, binade << 23 | std::uint64_t{1} << bit));
    }
  }
}

TEST(FormatWidening, OfBinary32AgreesWithTheProcessor) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 4093) {
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(narrow)) continue;
    ASSERT_EQ(pattern(widen_bits(Format::f32, bits)), pattern(double{narrow})) << std::hex << bits;
  }
}

TEST(FormatWidening, OfBinary64IsTheIdentity) {
  for (const std::uint64_t bits :
       {std::uint64_t{0}, std::uint64_t{1}, by_integers::kSign64, by_integers::kSign64 | 1,
        0x000f'ffff'ffff'ffffu, 0x0010'0000'0000'0000u, 0x7fef'ffff'ffff'ffffu,
        by_integers::kInfinity64, 0x7ff8'0000'0000'0123u}) {
    EXPECT_EQ(pattern(widen_bits(Format::f64, bits)), bits);
  }
}

TEST(FormatWideningDeathTest, RefusesBitsAboveTheFormatsWidth) {
  EXPECT_DEATH((void)widen_bits(Format::f16, 0x1'0000), "broken contract");
  EXPECT_DEATH((void)widen_bits(Format::f32, 0x1'0000'0000), "broken contract");
}

TEST(Format, ConstantsAreTheValuesOfTheirPatterns) {
  for (const Format format : kFormats) {
    const by_integers::Layout layout = by_integers::layout_of(format);
    const auto value_of = [&](std::uint64_t compact) {
      return widen_bits(format, compact << layout.unused_bits);
    };
    EXPECT_EQ(smallest_subnormal(format), value_of(1));
    EXPECT_EQ(smallest_normal(format), value_of(std::uint64_t{1} << layout.fraction_bits));
    EXPECT_EQ(largest_finite(format), value_of(layout.infinity() - 1));
    EXPECT_EQ(unit_roundoff(format), std::ldexp(1.0, -layout.fraction_bits - 1));
    EXPECT_EQ(bytes_of(format) * 8,
              1 + layout.exponent_bits + layout.fraction_bits + layout.unused_bits);
    EXPECT_EQ(format_named(shape_of(format).name), format);
  }
  EXPECT_EQ(format_named("fp16"), std::nullopt);
  EXPECT_EQ(format_named(""), std::nullopt);
}

TEST(Format, ConstantsOfTheSixteenBitFormatsAreTheOnesOfTheLiterature) {
  EXPECT_EQ(largest_finite(Format::f16), 65504.0);
  EXPECT_EQ(overflow_threshold(Format::f16), 65520.0);
  EXPECT_EQ(smallest_subnormal(Format::f16), 0x1p-24);
  EXPECT_EQ(largest_finite(Format::bf16), 0x1.fep127);
  EXPECT_EQ(overflow_threshold(Format::bf16), 0x1.ffp127);
  EXPECT_EQ(smallest_subnormal(Format::bf16), 0x1p-133);
  EXPECT_EQ(overflow_threshold(Format::f32), 0x1.ffffffp127);
  EXPECT_EQ(overflow_threshold(Format::f64), std::numeric_limits<double>::infinity());
}

TEST(Format, ClassesFollowTheOrderOfMagnitudes) {
  for (const Format format : kFormats) {
    const by_integers::Layout layout = by_integers::layout_of(format);
    const std::uint64_t normal = std::uint64_t{1} << layout.fraction_bits;
    for (const std::uint64_t sign : {std::uint64_t{0}, layout.sign()}) {
      const auto class_of = [&](std::uint64_t magnitude) {
        return classify(format, (sign | magnitude) << layout.unused_bits);
      };
      EXPECT_EQ(class_of(0), ValueClass::zero);
      EXPECT_EQ(class_of(1), ValueClass::subnormal);
      EXPECT_EQ(class_of(normal - 1), ValueClass::subnormal);
      EXPECT_EQ(class_of(normal), ValueClass::normal);
      EXPECT_EQ(class_of(layout.infinity() - 1), ValueClass::normal);
      EXPECT_EQ(class_of(layout.sign() - 1), ValueClass::nan);
      if (layout.all_ones_is_the_nan) continue;
      EXPECT_EQ(class_of(layout.infinity()), ValueClass::infinite);
      EXPECT_EQ(class_of(layout.infinity() + 1), ValueClass::nan);
    }
  }
}

TEST(UlpDistance, CountsTheRepresentableValuesBetween) {
  EXPECT_EQ(ulp_distance(Format::f16, 0x3c00, 0x3c00), 0u);
  EXPECT_EQ(ulp_distance(Format::f16, 0x3bff, 0x3c00), 1u);  // across a binade
  EXPECT_EQ(ulp_distance(Format::f16, 0x0000, 0x8000), 0u);  // the two zeros are one value
  EXPECT_EQ(ulp_distance(Format::f16, 0x0001, 0x8001), 2u);
  EXPECT_EQ(ulp_distance(Format::f16, 0x7c00, 0xfc00), 2u * 0x7c00);
  EXPECT_EQ(ulp_distance(Format::f64, 0x7ff0'0000'0000'0000u, 0xfff0'0000'0000'0000u),
            2u * 0x7ff0'0000'0000'0000u);
}

TEST(UlpDistance, IsADistanceThatFollowsTheLine) {
  // The n-th value from below minus the m-th is n - m, whatever the signs.
  const auto nth = [](int n) { return static_cast<std::uint64_t>(n >= 0 ? n : 0x8000 - n); };
  for (int a = -0x7c00; a <= 0x7c00; a += 97) {
    for (int b = -0x7c00; b <= 0x7c00; b += 101) {
      ASSERT_EQ(ulp_distance(Format::bf16, nth(a), nth(b)),
                static_cast<std::uint64_t>(std::abs(a - b)));
    }
  }
}

TEST(UlpDistanceDeathTest, RefusesANan) {
  EXPECT_DEATH((void)ulp_distance(Format::f16, 0x7c01, 0), "broken contract");
  EXPECT_DEATH((void)ulp_distance(Format::f16, 0, 0xfe00), "broken contract");
}

}  // namespace
}  // namespace attest::format_widening_test
