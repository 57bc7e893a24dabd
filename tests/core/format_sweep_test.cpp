// Goal: what the fast tests sample of binary32 holds on all of it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/format.hpp"
#include "tests/core/format_by_integers.hpp"
#include "tests/core/rounding_probes.hpp"

namespace attest::format_sweep_test {
namespace {

TEST(FormatSweep, WideningIsExactOnEveryPatternOfBinary32) {
  for (std::uint64_t bits = 0; bits >> 32 == 0; ++bits) {
    const double value = widen_bits(Format::f32, bits);
    const std::uint64_t by_shifts = by_integers::widen(Format::f32, bits);
    const bool nan = (by_shifts & ~by_integers::kSign64) > by_integers::kInfinity64;
    if (nan ? std::isnan(value) : std::bit_cast<std::uint64_t>(value) == by_shifts) continue;
    FAIL() << std::hex << bits << " widens to " << std::bit_cast<std::uint64_t>(value);
  }
}

TEST(FormatSweep, RoundingUndoesWideningOnEveryPatternOfBinary32) {
  for (std::uint64_t bits = 0; bits >> 32 == 0; ++bits) {
    const double value = std::bit_cast<double>(by_integers::widen(Format::f32, bits));
    if (std::isnan(value)) continue;
    if (round_to_bits(Format::f32, value) != bits) FAIL() << std::hex << bits;
  }
}

TEST(FormatSweep, RoundingIsCorrectAtOneMidpointInSeventeenOfBinary32) {
  for (std::uint64_t n = 0; n < 0x7f80'0000; n += 17) {
    for (const RoundingProbe& probe : probes_between(Format::f32, n)) {
      if (round_to_bits(Format::f32, probe.value) == probe.nearest &&
          round_to_bits(Format::f32, probe.value, Rounding::toward_zero) == probe.toward_zero) {
        continue;
      }
      FAIL() << std::hexfloat << probe.value;
    }
  }
}

}  // namespace
}  // namespace attest::format_sweep_test
