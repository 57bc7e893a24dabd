// format.hpp - the number formats of tensors, as bits.
//
// Every format here is a subset of binary64, so a binary64 carries any value exactly. Widening is
// exact; round_to_bits is the one operation of the project that rounds on purpose.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace attest {

enum class Format : std::uint8_t { f64, f32, f16, bf16, tf32, e4m3, e5m2 };

inline constexpr Format kFormats[] = {Format::f64,  Format::f32,  Format::f16, Format::bf16,
                                      Format::tf32, Format::e4m3, Format::e5m2};

enum class Rounding : std::uint8_t { nearest_even, toward_zero };

// What a store makes of an infinity, and of a value that rounds past the largest one: the format's
// own infinity (in e4m3, which has none, NaN with the value's sign), or the largest value.
enum class Overflow : std::uint8_t { special, saturate };

enum class ValueClass : std::uint8_t { zero, subnormal, normal, infinite, nan };

// IEEE 754 parameters: a normal value is m * 2^(e - precision + 1) with emin <= e <= emax and
// 2^(precision - 1) <= m < 2^precision. e4m3 and e5m2 are those of the OCP 8-bit specification.
struct FormatShape {
  std::string_view name;
  int bits;  // of a pattern, as it lies in memory
  int precision;
  int emin;
  int emax;
  // Lowest bits of a pattern that carry nothing: zero when written, ignored when read. A tf32 is a
  // binary32 without its last 13 bits.
  int unused_bits = 0;
  // Without, the largest exponent belongs to numbers, and only the pattern of all ones is a NaN.
  bool has_infinity = true;
};

// In the order of Format.
inline constexpr FormatShape kFormatShapes[] = {
    {"f64", 64, 53, -1022, 1023},
    {"f32", 32, 24, -126, 127},
    {"f16", 16, 11, -14, 15},
    {"bf16", 16, 8, -126, 127},
    {.name = "tf32", .bits = 32, .precision = 11, .emin = -126, .emax = 127, .unused_bits = 13},
    {.name = "e4m3", .bits = 8, .precision = 4, .emin = -6, .emax = 8, .has_infinity = false},
    {"e5m2", 8, 3, -14, 15},
};

// Every element of every tensor asks, so the answer stands in the header.
[[nodiscard]] constexpr const FormatShape& shape_of(Format format) {
  return kFormatShapes[static_cast<int>(format)];
}
[[nodiscard]] std::optional<Format> format_named(std::string_view name);
[[nodiscard]] inline int bytes_of(Format format) { return shape_of(format).bits / 8; }

// The value of a bit pattern, exactly. Bits above the format's width must be zero.
[[nodiscard]] double widen_bits(Format format, std::uint64_t bits);

// The bit pattern nearest to `value` (or next toward zero), subnormals kept, overflow as told
// (toward zero a finite value never overflows). A NaN becomes the quiet NaN with an all-ones
// payload in the 16-bit formats, as CUDA's conversions give, the only positive one in e4m3, and the
// default quiet NaN elsewhere.
[[nodiscard]] std::uint64_t round_to_bits(Format format, double value,
                                          Rounding rounding = Rounding::nearest_even,
                                          Overflow overflow = Overflow::special);

// round_to_bits and widen_bits in one: the value that a store in `format` would keep.
[[nodiscard]] double round_to_format(Format format, double value,
                                     Rounding rounding = Rounding::nearest_even,
                                     Overflow overflow = Overflow::special);

[[nodiscard]] ValueClass classify(Format format, std::uint64_t bits);

// How many representable values apart two patterns are; zeros of both signs are one value.
// Requires: neither is a NaN.
[[nodiscard]] std::uint64_t ulp_distance(Format format, std::uint64_t a, std::uint64_t b);

// Largest relative error of a rounding to nearest in the normal range: 2^-precision.
[[nodiscard]] double unit_roundoff(Format format);
[[nodiscard]] double smallest_normal(Format format);
[[nodiscard]] double smallest_subnormal(Format format);
[[nodiscard]] double largest_finite(Format format);
// Magnitudes from here on round (to nearest) past the largest value; infinity itself for f64. In
// e4m3 the largest value is even, and the threshold, 464, is the last magnitude that rounds to it.
[[nodiscard]] double overflow_threshold(Format format);

}  // namespace attest
