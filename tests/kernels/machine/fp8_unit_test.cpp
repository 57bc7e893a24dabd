// Goal: the 8-bit units add up as they are described, by integers once more, and lose no more than
// error-analysis.md, Corollary 4.1 says. That the descriptions are right, vectors_test.cpp shows.
#include "kernels/machine/fp8_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "tests/kernels/machine/integer_model.hpp"

namespace attest::fp8_unit_test {
namespace {

constexpr Format kFp8[] = {Format::e4m3, Format::e5m2};
constexpr struct {
  const char* name;
  Fp8Unit unit;
} kUnitsOfEightBits[] = {
    {"h100", Fp8Unit::h100()}, {"ada", Fp8Unit::ada()}, {"b200", Fp8Unit::b200()}};

Parts parts_of_fp8(Format format, std::uint8_t bits) {
  return format == Format::e4m3 ? parts_of(bits, 4, 3) : parts_of(bits, 5, 2);
}

struct Operands {
  std::vector<std::uint8_t> a, b;
};

// Every finite pattern alike.
Operands draw_operands(std::mt19937& engine, Format format, std::size_t length) {
  const auto draw = [&] {
    std::uint8_t bits = 0;
    do bits = static_cast<std::uint8_t>(engine());
    while (!std::isfinite(widen_bits(format, bits)));
    return bits;
  };
  Operands operands{std::vector<std::uint8_t>(length), std::vector<std::uint8_t>(length)};
  std::ranges::generate(operands.a, draw);
  std::ranges::generate(operands.b, draw);
  return operands;
}

// The terms of one block as integers in units of the last place that the unit keeps.
std::int64_t aligned(std::span<const Parts> terms, int fraction_bits, int& last_place) {
  int top = -133;
  for (const Parts& x : terms) {
    if (x.integer != 0) top = std::max(top, x.exponent);
  }
  last_place = top - fraction_bits;
  std::int64_t sum = 0;
  for (const Parts& x : terms) {
    const int places = last_place - (x.exponent - x.fraction_bits);
    sum += places <= 0 ? x.integer * (std::int64_t{1} << std::min(-places, 62))
                       : x.integer / (std::int64_t{1} << std::min(places, 62));
  }
  return sum;
}

float by_integers(const Fp8Unit& unit, Format format, const Operands& of, float c) {
  const auto width = static_cast<std::size_t>(unit.width);
  for (std::size_t first = 0; first < of.a.size(); first += width) {
    std::vector<Parts> terms;
    for (std::size_t k = first; k < first + width; ++k) {
      const Parts x = parts_of_fp8(format, of.a[k]), y = parts_of_fp8(format, of.b[k]);
      const std::int64_t product = x.integer * y.integer;
      if (product == 0) continue;
      terms.push_back({product, x.exponent + y.exponent, x.fraction_bits + y.fraction_bits});
    }
    if (!unit.accumulator_last && c != 0) terms.push_back(parts_of(c));
    int last_place = 0;
    const std::int64_t sum = aligned(terms, unit.fraction_bits, last_place);
    std::uint64_t magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    // Whole numbers of at most 14 or 24 bits stay.
    const int excess = static_cast<int>(std::bit_width(magnitude)) - 1 - unit.output_fraction_bits;
    if (excess > 0) magnitude = magnitude >> excess << excess;
    const float block =
        std::bit_cast<float>(encode(sum < 0, BigInteger(magnitude), last_place, Cut::toward_zero));
    c = unit.accumulator_last ? c + block : block;
  }
  return c;
}

TEST(Fp8Unit, IsItsDescriptionOnEveryKindOfPattern) {
  std::mt19937 engine(23);
  std::uniform_int_distribution<int> power(-24, 24);
  std::normal_distribution<float> normal;
  for (const auto& [name, unit] : kUnitsOfEightBits) {
    for (const Format format : kFp8) {
      for (int round = 0; round < 5'000; ++round) {
        const Operands of = draw_operands(engine, format, round % 2 == 0 ? 32 : 96);
        const float c = round % 3 == 0 ? 0 : std::ldexp(normal(engine), power(engine));
        const float sum = accumulate(unit, format, of.a, of.b, c);
        const float by_hand = by_integers(unit, format, of, c);
        ASSERT_EQ(sum, by_hand) << name << ' ' << shape_of(format).name << ' ' << round;
      }
    }
  }
}

// Products of powers of two alone.
float sum_of(const Fp8Unit& unit, std::initializer_list<double> values, float c) {
  Operands of{std::vector<std::uint8_t>(32), std::vector<std::uint8_t>(32)};
  std::size_t k = 0;
  for (const double value : values) {
    of.a[k] = static_cast<std::uint8_t>(round_to_bits(Format::e5m2, value));
    of.b[k++] = static_cast<std::uint8_t>(round_to_bits(Format::e5m2, 0x1p-7));
  }
  return accumulate(unit, Format::e5m2, of.a, of.b, c);
}

TEST(Fp8Unit, KeepsThirteenBitsOnHopperAndAda) {
  for (const Fp8Unit& unit : {Fp8Unit::h100(), Fp8Unit::ada()}) {
    EXPECT_EQ(sum_of(unit, {0x1p7, 0x1p-6}, 0), 1 + 0x1p-13f);
    EXPECT_EQ(sum_of(unit, {0x1p7, 0x1p-7, 0x1p-7}, 0), 1);  // each is lost
    EXPECT_EQ(sum_of(unit, {}, 1 + 0x1p-14f), 1);            // the accumulator is cut as well
    EXPECT_EQ(sum_of(unit, {-0x1p7, -0x1p-7}, 0), -1);       // toward zero
    EXPECT_EQ(sum_of(unit, {0x1p8, 0x1p8, 0x1p-5}, 0), 4);   // and so is the sum
  }
  EXPECT_EQ(sum_of(Fp8Unit::b200(), {0x1p7, 0x1p-7, 0x1p-7}, 0), 1 + 0x1p-13f);
}

TEST(Fp8Unit, OfBlackwellRoundsTheAccumulatorsAdditionToNearest) {
  EXPECT_EQ(sum_of(Fp8Unit::b200(), {0x1p-9}, 0x1p7f + 0x1p-16f), 0x1p7f + 0x1p-15f);
  EXPECT_EQ(sum_of(Fp8Unit::b200(), {0x1p7}, 0x1p-24f), 1);  // a tie goes to the even one
  EXPECT_EQ(sum_of(Fp8Unit::b200(), {0x1p7}, 0x1.8p-24f), 1 + 0x1p-23f);
}

TEST(Fp8Unit, PropagatesWhatIsNotFinite) {
  for (const auto& [name, unit] : kUnitsOfEightBits) {
    Operands of{std::vector<std::uint8_t>(32), std::vector<std::uint8_t>(32)};
    of.a[3] = 0x7f;
    EXPECT_TRUE(std::isnan(accumulate(unit, Format::e4m3, of.a, of.b, 1))) << name;
    of.a[3] = 0x7e;  // in e5m2 a NaN, in e4m3 the largest value
    of.b[3] = 0x38;
    EXPECT_EQ(accumulate(unit, Format::e4m3, of.a, of.b, 0), 448) << name;
    EXPECT_TRUE(std::isnan(accumulate(unit, Format::e5m2, of.a, of.b, 1))) << name;
    of.a[3] = 0xfc;
    of.b[3] = 0x3c;
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(accumulate(unit, Format::e5m2, of.a, of.b, 1), -infinity) << name;
    EXPECT_TRUE(std::isnan(accumulate(unit, Format::e5m2, of.a, of.b, infinity))) << name;
    of.b[3] = 0;
    EXPECT_TRUE(std::isnan(accumulate(unit, Format::e5m2, of.a, of.b, 1))) << name;
  }
}

// Corollary 4.1, for `length` non-zero products and an accumulator of full width, or none.
double gam_of(const Fp8Unit& unit, std::size_t length, bool accumulator) {
  const auto n = static_cast<double>(length);
  if (!unit.accumulator_last) return (n + (accumulator ? 1 : 0)) * 0x1p-13;
  return (std::min(n, 32.0) - 1) * 0x1p-25 + 0x1p-23 + std::ceil(n / 32) * 0x1p-24;
}

// One product of 2^e in each block of 32, and small ones of which the unit keeps nothing or little.
Operands lossy_operands(std::mt19937& engine, Format format, std::size_t length, double small,
                        bool same_sign) {
  std::uniform_real_distribution<double> magnitude(1, 1.375);
  Operands of{std::vector<std::uint8_t>(length), std::vector<std::uint8_t>(length)};
  for (std::size_t k = 0; k < length; ++k) {
    const double size = k % 32 == 0 ? 256 : small;
    const double sign = same_sign || engine() % 2 == 0 ? 1 : -1;
    of.a[k] = static_cast<std::uint8_t>(round_to_bits(format, sign * size * magnitude(engine)));
    of.b[k] = static_cast<std::uint8_t>(round_to_bits(format, size * magnitude(engine)));
  }
  return of;
}

TEST(Fp8Unit, StaysWithinTheConstantOfCorollary41) {
  std::mt19937 engine(29);
  std::uniform_real_distribution<float> accumulator(0x1p14f, 0x1p17f);
  for (const auto& [name, unit] : kUnitsOfEightBits) {
    double worst = 0;
    for (int round = 0; round < 5'000; ++round) {
      const Format format = kFp8[round % 2];
      const std::size_t length = round % 4 < 2 ? 32 : 96;
      const double small = std::ldexp(1.0, unit.accumulator_last ? -5 - round % 5 : 1 - round % 5);
      const Operands of = lossy_operands(engine, format, length, small, round % 3 != 0);
      const float c = round % 8 < 4 ? 0 : accumulator(engine);
      double exact = double{c}, mass = std::fabs(double{c});
      for (std::size_t k = 0; k < length; ++k) {
        const double term = widen_bits(format, of.a[k]) * widen_bits(format, of.b[k]);
        exact += term;
        const double normal = smallest_normal(format);
        mass += std::max(std::fabs(widen_bits(format, of.a[k])), normal) *
                std::max(std::fabs(widen_bits(format, of.b[k])), normal);
      }
      const double gam = gam_of(unit, length, c != 0);
      const double error = std::fabs(accumulate(unit, format, of.a, of.b, c) - exact);
      worst = std::max(worst, error / (gam / (1 - gam) * mass));
    }
    EXPECT_LE(worst, 1) << name;
    EXPECT_GT(worst, 1.0 / 4) << name << ": data that cannot find a constant too small";
    std::printf("%s in 8 bits: worst %.3f of Gam\n", name, worst);
  }
}

}  // namespace
}  // namespace attest::fp8_unit_test
