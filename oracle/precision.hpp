// precision.hpp - the ladder of working precisions that the oracle climbs on request.
//
// Doubled numbers (two binary64) are its first rung, and multiprecision the others. Fixed-precision
// types, one per rung: Boost 1.74 keeps the default precision of its variable types in one global,
// which threads would share.
#pragma once

#include <cstdint>
#include <optional>

namespace attest {

// What doubled numbers hold, as an answer's `bits`.
inline constexpr int kDoubledBits = 106;

// In decimal digits; the last rung is the cap.
enum class Precision : std::uint16_t {
  doubled = 25,  // nominally: each result has an error of its own
  digits50 = 50,
  digits100 = 100,
  digits200 = 200,
  digits400 = 400,
};

inline constexpr Precision kFirstPrecision = Precision::doubled;
// What is asked where nothing else is known, as for a page or a golden.
inline constexpr Precision kFirstMultiprecision = Precision::digits50;
inline constexpr Precision kLastPrecision = Precision::digits400;

// The next rung, nothing at the cap.
[[nodiscard]] constexpr std::optional<Precision> next_precision(Precision precision) {
  if (precision == kLastPrecision) return std::nullopt;
  return static_cast<Precision>(2 * static_cast<int>(precision));
}

}  // namespace attest
