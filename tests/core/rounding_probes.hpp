// rounding_probes.hpp - the binary64 values at which a rounding changes its answer, and the answer
// that the definition of rounding gives there.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/format.hpp"
#include "tests/core/format_by_integers.hpp"

namespace attest {

struct RoundingProbe {
  double value;
  std::uint64_t nearest;
  std::uint64_t toward_zero;
};

// For the non-negative finite pattern n and its successor: n itself, the midpoint, and the binary64
// values next to both and to the successor on the inner side. The successor of the largest finite
// value is infinity, which for the purpose of a midpoint stands one step further on.
inline std::array<RoundingProbe, 6> probes_between(Format format, std::uint64_t n) {
  const auto value_of = [&](std::uint64_t bits) {
    return std::bit_cast<double>(by_integers::widen(format, bits));
  };
  const double low = value_of(n);
  const bool last = n + 1 == by_integers::layout_of(format).infinity();
  const double step = last ? low - value_of(n - 1) : value_of(n + 1) - low;
  const double high = low + step;
  const double middle = low + step / 2;  // exact: binary64 has bits to spare for every format
  const std::uint64_t even = n % 2 == 0 ? n : n + 1;
  return {{{low, n, n},
           {std::nextafter(low, high), n, n},
           {std::nextafter(middle, low), n, n},
           {middle, even, n},
           {std::nextafter(middle, high), n + 1, n},
           {std::nextafter(high, low), n + 1, n}}};
}

// Does round_to_format keep the very value of that pattern?
inline bool keeps(Format format, double value, Rounding rounding, Overflow overflow,
                  std::uint64_t pattern) {
  const double kept = round_to_format(format, value, rounding, overflow);
  const double stored = widen_bits(format, pattern);
  if (std::isnan(stored)) return std::isnan(kept);
  return std::bit_cast<std::uint64_t>(kept) == std::bit_cast<std::uint64_t>(stored);
}

// Between n and its successor: what the definition says of every probe, under both signs, both
// roundings and both answers to overflow.
inline ::testing::AssertionResult rounds_by_definition(Format format, std::uint64_t n) {
  const by_integers::Layout layout = by_integers::layout_of(format);
  const auto in_memory = [&](bool negative, std::uint64_t magnitude, Overflow overflow) {
    const bool too_large = magnitude == layout.infinity() && overflow == Overflow::saturate;
    return ((negative ? layout.sign() : 0) | (magnitude - std::uint64_t{too_large}))
           << layout.unused_bits;
  };
  for (const RoundingProbe& probe : probes_between(format, n)) {
    for (const double value : {probe.value, -probe.value}) {
      for (const Overflow overflow : {Overflow::special, Overflow::saturate}) {
        const std::uint64_t nearest =
            round_to_bits(format, value, Rounding::nearest_even, overflow);
        const std::uint64_t cut = round_to_bits(format, value, Rounding::toward_zero, overflow);
        if (nearest == in_memory(std::signbit(value), probe.nearest, overflow) &&
            cut == in_memory(std::signbit(value), probe.toward_zero, overflow) &&
            keeps(format, value, Rounding::nearest_even, overflow, nearest) &&
            keeps(format, value, Rounding::toward_zero, overflow, cut)) {
          continue;
        }
        return ::testing::AssertionFailure()
               << std::hexfloat << value << " in " << shape_of(format).name << " is " << std::hex
               << nearest << " or, toward zero, " << cut;
      }
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace attest
