// narrow.hpp - loads and stores of the plain kernel: binary32 from and to 16-bit formats.
//
// On purpose not core/format: a defect there would then cancel out between the kernel and the
// harness that judges it. f16 goes by the compiler's own type, bf16 by bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/contract.hpp"
#include "core/format.hpp"

namespace attest {

// The value of a stored pattern, exactly. Requires: f32, f16 or bf16.
[[nodiscard]] inline float widen_stored(Format format, std::uint64_t bits) {
  switch (format) {
    case Format::f32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Format::f16: return std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits));
    case Format::bf16: return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    default: break;
  }
  contract_broken("the plain kernel holds f32, f16 and bf16 only", __FILE__, __LINE__);
}

// The pattern that a store keeps: to nearest, ties to even; every NaN becomes one pattern, so that
// bitwise laws do not see which operand it came from. Requires: f32, f16 or bf16.
[[nodiscard]] inline std::uint64_t round_to_stored(Format format, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  switch (format) {
    case Format::f32: return std::isnan(value) ? 0x7fc00000u : bits;
    case Format::f16:
      return std::isnan(value) ? 0x7fffu
                               : std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    case Format::bf16:
      // Half a place up, less one where the kept part is even: a carry out of the fraction rounds
      // into the exponent, and past the largest value into infinity.
      return std::isnan(value) ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    default: break;
  }
  contract_broken("the plain kernel holds f32, f16 and bf16 only", __FILE__, __LINE__);
}

// Both in one: the value after a trip through `format`.
[[nodiscard]] inline float round_to_narrow(Format format, float value) {
  return widen_stored(format, round_to_stored(format, value));
}

// The same, but toward zero.
[[nodiscard]] inline float cut_to_narrow(Format format, float value) {
  const float nearest = round_to_narrow(format, value);
  if (!(std::fabs(nearest) > std::fabs(value))) return nearest;
  return widen_stored(format, round_to_stored(format, nearest) - 1);
}

}  // namespace attest
