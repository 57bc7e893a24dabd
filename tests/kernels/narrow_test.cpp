// Goal: the kernel's own conversions agree with core/format, derived another way, on every 16-bit
// pattern and around every rounding boundary.
#include "kernels/canaries/narrow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace attest::narrow_test {
namespace {

constexpr Format kNarrow[] = {Format::f16, Format::bf16};

TEST(Narrow, WidensEveryPatternAsCoreDoes) {
  for (const Format format : kNarrow) {
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      const float widened = widen_stored(format, bits);
      if (classify(format, bits) == ValueClass::nan) {
        ASSERT_TRUE(std::isnan(widened));
      } else {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(static_cast<double>(widened)),
                  std::bit_cast<std::uint64_t>(widen_bits(format, bits)));
      }
    }
  }
}

// Halfway between the pattern's value and the next one away from zero.
float midpoint_above(Format format, std::uint64_t bits) {
  const double value = widen_bits(format, bits);
  if (std::fabs(value) == largest_finite(format)) {
    return static_cast<float>(std::copysign(overflow_threshold(format), value));
  }
  return static_cast<float>((value + widen_bits(format, bits + 1)) / 2);
}

TEST(Narrow, RoundsEveryMidpointAndItsNeighboursAsCoreDoes) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  int checked = 0;
  for (const Format format : kNarrow) {
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      const ValueClass value_class = classify(format, bits);
      if (value_class == ValueClass::nan || value_class == ValueClass::infinite) continue;
      const float middle = midpoint_above(format, bits);
      for (const float x : {std::nextafter(middle, -kInfinity), middle,
                            std::nextafter(middle, kInfinity), widen_stored(format, bits)}) {
        ASSERT_EQ(round_to_stored(format, x), round_to_bits(format, x))
            << shape_of(format).name << " " << std::hexfloat << x;
        ++checked;
      }
    }
    ASSERT_EQ(round_to_stored(format, kInfinity), round_to_bits(format, kInfinity));
  }
  EXPECT_EQ(checked, 4 * (2 * 31 * 1024 + 2 * 255 * 128));
}

TEST(Narrow, MakesOnePatternOfEveryNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Format format : {Format::f32, Format::f16, Format::bf16}) {
    EXPECT_EQ(round_to_stored(format, nan), round_to_bits(format, nan));
    EXPECT_EQ(round_to_stored(format, -nan), round_to_stored(format, nan));
  }
}

}  // namespace
}  // namespace attest::narrow_test
