// Goal: e4m3, e5m2 and tf32 are held to every one of their patterns: what each means, which values
// round to it, what lies past the largest, and the numbers of the published tables.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/format.hpp"
#include "core/problem.hpp"
#include "tests/core/format_by_integers.hpp"
#include "tests/core/rounding_probes.hpp"

namespace attest::format_fp8_tf32_test {
namespace {

constexpr Format kHere[] = {Format::e4m3, Format::e5m2, Format::tf32};
constexpr Rounding kRoundings[] = {Rounding::nearest_even, Rounding::toward_zero};
constexpr Overflow kOverflows[] = {Overflow::special, Overflow::saturate};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One past the last compact pattern: 2^8 or 2^19.
std::uint64_t patterns_of(Format format) { return by_integers::layout_of(format).sign() * 2; }

TEST(FormatsOfEightBitsAndTf32, WidenExactlyFromEveryPattern) {
  for (const Format format : kHere) {
    const int unused = by_integers::layout_of(format).unused_bits;
    int nans = 0;
    for (std::uint64_t compact = 0; compact < patterns_of(format); ++compact) {
      const double value = widen_bits(format, compact << unused);
      const auto by_shifts = std::bit_cast<double>(by_integers::widen(format, compact));
      nans += std::isnan(by_shifts);
      ASSERT_EQ(std::isnan(value), std::isnan(by_shifts)) << std::hex << compact;
      ASSERT_EQ(std::signbit(value), std::signbit(by_shifts)) << std::hex << compact;
      ASSERT_TRUE(std::isnan(value) || value == by_shifts) << std::hex << compact;
    }
    EXPECT_EQ(nans, format == Format::e4m3 ? 2 : format == Format::e5m2 ? 6 : 2046);
  }
}

TEST(FormatsOfEightBitsAndTf32, RoundEveryPatternToItself) {
  for (const Format format : kHere) {
    const int unused = by_integers::layout_of(format).unused_bits;
    for (std::uint64_t compact = 0; compact < patterns_of(format); ++compact) {
      const std::uint64_t bits = compact << unused;
      const ValueClass kind = classify(format, bits);
      if (kind == ValueClass::nan) continue;
      for (const Rounding rounding : kRoundings) {
        for (const Overflow overflow : kOverflows) {
          if (kind == ValueClass::infinite && overflow == Overflow::saturate) continue;
          ASSERT_EQ(round_to_bits(format, widen_bits(format, bits), rounding, overflow), bits);
        }
      }
    }
  }
}

TEST(FormatsOfEightBitsAndTf32, RoundCorrectlyAtEveryMidpoint) {
  for (const Format format : kHere) {
    const std::uint64_t past_largest = by_integers::layout_of(format).infinity();
    for (std::uint64_t n = 0; n < past_largest; ++n) ASSERT_TRUE(rounds_by_definition(format, n));
  }
}

TEST(FormatsOfEightBitsAndTf32, RoundAsShiftsDoInEveryBinadeOfBinary64) {
  std::uint64_t scramble = 5;
  for (std::uint64_t draw = 0; draw < 4096 * 64; ++draw) {
    scramble = scramble * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t zeros = draw % 2 == 0 ? 0 : scramble % 53;
    const std::uint64_t fraction = scramble >> 12 & ~std::uint64_t{0} << zeros;
    const std::uint64_t wide = draw / 64 << 52 | fraction;
    const auto value = std::bit_cast<double>(wide);
    if (std::isnan(value)) continue;
    for (const Format format : kHere) {
      const int unused = by_integers::layout_of(format).unused_bits;
      for (const Rounding rounding : kRoundings) {
        for (const Overflow overflow : kOverflows) {
          ASSERT_EQ(round_to_bits(format, value, rounding, overflow),
                    by_integers::round(format, wide, rounding, overflow) << unused)
              << std::hexfloat << value << " in " << shape_of(format).name;
        }
      }
    }
  }
}

TEST(FormatsOfEightBitsAndTf32, ConstantsAreTheOnesOfTheOcpTable) {
  EXPECT_EQ(largest_finite(Format::e4m3), 448.0);
  EXPECT_EQ(smallest_normal(Format::e4m3), 0x1p-6);
  EXPECT_EQ(smallest_subnormal(Format::e4m3), 0x1p-9);
  EXPECT_EQ(unit_roundoff(Format::e4m3), 0x1p-4);
  EXPECT_EQ(overflow_threshold(Format::e4m3), 464.0);
  EXPECT_EQ(largest_finite(Format::e5m2), 57344.0);
  EXPECT_EQ(smallest_normal(Format::e5m2), 0x1p-14);
  EXPECT_EQ(smallest_subnormal(Format::e5m2), 0x1p-16);
  EXPECT_EQ(unit_roundoff(Format::e5m2), 0x1p-3);
  EXPECT_EQ(overflow_threshold(Format::e5m2), 61440.0);
  EXPECT_EQ(largest_finite(Format::tf32), 0x1.ffcp127);
  EXPECT_EQ(smallest_normal(Format::tf32), 0x1p-126);
  EXPECT_EQ(smallest_subnormal(Format::tf32), 0x1p-136);
  EXPECT_EQ(unit_roundoff(Format::tf32), 0x1p-11);
  EXPECT_EQ(overflow_threshold(Format::tf32), 0x1.ffep127);
}

TEST(FormatsOfEightBitsAndTf32, PatternsAreTheOnesOfTheOcpTable) {
  EXPECT_EQ(round_to_bits(Format::e4m3, 448), 0x7eu);
  EXPECT_EQ(round_to_bits(Format::e4m3, 0x1p-6), 0x08u);
  EXPECT_EQ(round_to_bits(Format::e4m3, -0x1p-9), 0x81u);
  EXPECT_EQ(round_to_bits(Format::e4m3, 1), 0x38u);
  EXPECT_EQ(round_to_bits(Format::e5m2, 57344), 0x7bu);
  EXPECT_EQ(round_to_bits(Format::e5m2, 0x1p-14), 0x04u);
  EXPECT_EQ(round_to_bits(Format::e5m2, -0x1p-16), 0x81u);
  EXPECT_EQ(round_to_bits(Format::e5m2, 1), 0x3cu);
  EXPECT_EQ(classify(Format::e5m2, 0x7c), ValueClass::infinite);
  EXPECT_EQ(classify(Format::e4m3, 0x7c), ValueClass::normal);
}

TEST(FormatsOfEightBitsAndTf32, OverflowIsSpecialOrSaturates) {
  // The largest value of e4m3 is even and takes the tie; that of e5m2 is odd and loses it.
  const double past_e4m3 = std::nextafter(464.0, 500.0);
  EXPECT_EQ(round_to_bits(Format::e4m3, 464), 0x7eu);
  EXPECT_EQ(round_to_bits(Format::e5m2, 61440), 0x7cu);
  EXPECT_EQ(round_to_bits(Format::e5m2, std::nextafter(61440.0, 0.0)), 0x7bu);
  for (const double value : {past_e4m3, 1e300, kInfinity}) {
    EXPECT_EQ(round_to_bits(Format::e4m3, value), 0x7fu);
    EXPECT_EQ(round_to_bits(Format::e4m3, -value), 0xffu);
  }
  for (const Format format : kHere) {
    const std::uint64_t sign = std::uint64_t{1} << (shape_of(format).bits - 1);
    const std::uint64_t largest = round_to_bits(format, largest_finite(format));
    for (const double value : {2 * largest_finite(format), 1e300, kInfinity}) {
      for (const Rounding rounding : kRoundings) {
        EXPECT_EQ(round_to_bits(format, value, rounding, Overflow::saturate), largest);
        EXPECT_EQ(round_to_bits(format, -value, rounding, Overflow::saturate), sign | largest);
      }
    }
    EXPECT_EQ(round_to_bits(format, 1e300, Rounding::toward_zero), largest);
    EXPECT_EQ(round_to_format(format, -1e300, Rounding::nearest_even, Overflow::saturate),
              -largest_finite(format));
  }
}

TEST(FormatsOfEightBitsAndTf32, ANanStaysOneWhateverOverflowDoes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Overflow overflow : kOverflows) {
    for (const double value : {nan, -nan}) {
      EXPECT_EQ(round_to_bits(Format::e4m3, value, Rounding::nearest_even, overflow), 0x7fu);
      EXPECT_EQ(round_to_bits(Format::e5m2, value, Rounding::nearest_even, overflow), 0x7eu);
      EXPECT_EQ(round_to_bits(Format::tf32, value, Rounding::nearest_even, overflow), 0x7fc00000u);
    }
  }
}

TEST(Tf32, IsABinary32WhoseLastThirteenBitsAreIgnored) {
  EXPECT_EQ(widen_bits(Format::tf32, 0x3f80'1fff), 1.0);
  EXPECT_EQ(widen_bits(Format::tf32, 0x3f80'2000), 1.0 + 0x1p-10);
  EXPECT_EQ(ulp_distance(Format::tf32, 0x3f80'0001, 0x3f80'2000), 1u);
  EXPECT_EQ(bytes_of(Format::tf32), 4);
}

TEST(FormatsOfEightBitsAndTf32, AreNamedInCaseStrings) {
  for (const Format format : kHere) {
    const std::string name(shape_of(format).name);
    const std::string text = "attest1:b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1;in=" + name +
                             ";out=" + name + ";scale=0x1p+0;left=inf;right=inf;align=br;pass=fwd";
    const Problem problem = parse_problem(text);
    EXPECT_EQ(problem.in, format);
    EXPECT_EQ(problem.out, format);
    EXPECT_EQ(to_string(problem), text);
  }
}

}  // namespace
}  // namespace attest::format_fp8_tf32_test
