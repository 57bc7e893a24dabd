// Goal: the machine's conversions agree with core/format, derived another way, on every 16-bit
// pattern and around every rounding boundary.
#include "kernels/machine/conversions.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/format.hpp"

namespace attest::conversions_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class Element>
void widen_every_pattern(Format format) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float widened = widen(Element{static_cast<std::uint16_t>(bits)});
    if (classify(format, bits) == ValueClass::nan) {
      ASSERT_TRUE(std::isnan(widened));
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(static_cast<double>(widened)),
                std::bit_cast<std::uint64_t>(widen_bits(format, bits)));
    }
  }
}

TEST(Conversions, WidenEveryPatternAsCoreDoes) {
  widen_every_pattern<Fp16>(Format::f16);
  widen_every_pattern<Bf16>(Format::bf16);
}

// Halfway between a pattern's value and the next one away from zero, and both neighbours.
template <class Element>
void round_around_every_midpoint(Format format) {
  int checked = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const ValueClass here = classify(format, bits);
    if (here == ValueClass::nan || here == ValueClass::infinite) continue;
    const double value = widen_bits(format, bits);
    const bool last = std::fabs(value) == largest_finite(format);
    const auto middle = static_cast<float>(last ? std::copysign(overflow_threshold(format), value)
                                                : (value + widen_bits(format, bits + 1)) / 2);
    for (const float x : {std::nextafter(middle, -kInfinity), middle,
                          std::nextafter(middle, kInfinity), static_cast<float>(value)}) {
      ASSERT_EQ(round_to<Element>(x).bits, round_to_bits(format, x)) << std::hexfloat << x;
      ++checked;
    }
  }
  EXPECT_GT(checked, 250'000 - 20'000);
  ASSERT_EQ(round_to<Element>(kInfinity).bits, round_to_bits(format, kInfinity));
  ASSERT_EQ(round_to<Element>(-kInfinity).bits, round_to_bits(format, -kInfinity));
}

TEST(Conversions, RoundEveryMidpointAndItsNeighboursAsCoreDoes) {
  round_around_every_midpoint<Fp16>(Format::f16);
  round_around_every_midpoint<Bf16>(Format::bf16);
}

TEST(Conversions, MakeOnePatternOfEveryNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float x : {nan, -nan, std::bit_cast<float>(0x7f800001u)}) {
    EXPECT_EQ(round_to<Fp16>(x).bits, 0x7fff);
    EXPECT_EQ(round_to<Bf16>(x).bits, 0x7fff);
  }
}

}  // namespace
}  // namespace attest::conversions_test
