// format_by_integers.hpp - widening and rounding once more, by shifts on bit patterns alone.
//
// core/format computes in binary64 (ldexp, nearbyint) and reads its parameters from one table.
// Nothing here does either: what the two agree on is not one mistake made twice.
#pragma once

#include <bit>
#include <cstdint>

#include "core/format.hpp"

namespace attest::by_integers {

inline constexpr std::uint64_t kInfinity64 = 0x7ff0'0000'0000'0000;
inline constexpr std::uint64_t kSign64 = 0x8000'0000'0000'0000;

// Patterns here are compact: sign, exponent and fraction, nothing else. A tf32 in memory stands 13
// bits further up.
struct Layout {
  int exponent_bits;
  int fraction_bits;
  int unused_bits = 0;
  bool all_ones_is_the_nan = false;

  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  // The pattern after the largest finite value's: infinity, or the NaN of e4m3.
  [[nodiscard]] constexpr std::uint64_t infinity() const {
    if (all_ones_is_the_nan) return sign() - 1;
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
  [[nodiscard]] constexpr std::uint64_t sign() const {
    return std::uint64_t{1} << (exponent_bits + fraction_bits);
  }
};

constexpr Layout layout_of(Format format) {
  switch (format) {
    case Format::f64: return {11, 52};
    case Format::f32: return {8, 23};
    case Format::f16: return {5, 10};
    case Format::bf16: return {8, 7};
    case Format::tf32: return {8, 10, 13};
    case Format::e4m3: return {4, 3, 0, true};
    case Format::e5m2: return {5, 2};
  }
  return {};
}

// The binary64 pattern of a pattern in a narrower format. A NaN keeps its sign and fraction.
constexpr std::uint64_t widen(Format format, std::uint64_t bits) {
  const Layout layout = layout_of(format);
  const std::uint64_t sign = (bits & layout.sign()) != 0 ? kSign64 : 0;
  const std::uint64_t magnitude = bits & ~layout.sign();
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << layout.fraction_bits) - 1);
  const auto exponent = static_cast<int>(magnitude >> layout.fraction_bits);
  const std::uint64_t shifted = fraction << (52 - layout.fraction_bits);
  if (magnitude >= layout.infinity()) return sign | kInfinity64 | shifted;
  if (magnitude == 0) return sign;
  if (exponent != 0) {
    return sign | static_cast<std::uint64_t>(exponent - layout.bias() + 1023) << 52 | shifted;
  }
  // A subnormal: its leading one becomes the hidden bit.
  const int lead = 63 - std::countl_zero(fraction);
  const int wide_exponent = 1 - layout.bias() - layout.fraction_bits + lead + 1023;
  const std::uint64_t below_lead = fraction ^ (std::uint64_t{1} << lead);
  return sign | static_cast<std::uint64_t>(wide_exponent) << 52 | below_lead << (52 - lead);
}

// Rounds the binary64 with pattern `wide`, no NaN, to a narrower format. Magnitudes of a format
// are consecutive integers, infinity included, so a carry out of the fraction needs no care.
constexpr std::uint64_t round(Format format, std::uint64_t wide, Rounding rounding,
                              Overflow overflow = Overflow::special) {
  const Layout layout = layout_of(format);
  const std::uint64_t beyond = layout.infinity() - std::uint64_t{overflow == Overflow::saturate};
  const std::uint64_t sign = (wide & kSign64) != 0 ? layout.sign() : 0;
  const std::uint64_t magnitude = wide & ~kSign64;
  if (magnitude == kInfinity64) return sign | beyond;
  const bool hidden = magnitude >> 52 != 0;
  const int exponent = static_cast<int>(hidden ? magnitude >> 52 : 1) - 1023;
  const std::uint64_t significand = (magnitude & 0x000f'ffff'ffff'ffff) | std::uint64_t{hidden}
                                                                              << 52;
  const int below_normal = exponent < 1 - layout.bias() ? 1 - layout.bias() - exponent : 0;
  const int dropped = 52 - layout.fraction_bits + below_normal;
  if (dropped > 60) return sign;  // Less than half of the smallest subnormal.
  const std::uint64_t kept = significand >> dropped;
  const std::uint64_t rest = significand ^ kept << dropped;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const bool nearest = rounding == Rounding::nearest_even;
  const bool up = nearest && (rest > half || (rest == half && (kept & 1) != 0));
  const auto binades = static_cast<std::uint64_t>(exponent + layout.bias() - 1 + below_normal);
  const std::uint64_t rounded = (binades << layout.fraction_bits) + kept + std::uint64_t{up};
  if (rounded < layout.infinity()) return sign | rounded;
  return sign | (nearest ? beyond : layout.infinity() - 1);
}

}  // namespace attest::by_integers
