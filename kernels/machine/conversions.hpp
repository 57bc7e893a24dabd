// conversions.hpp - exact widening and the one rounding of kernels, on a CPU.
//
// On purpose not core/format: a defect there would cancel out between a kernel and the harness that
// judges it. binary16 goes by the processor's instructions, or by the compiler's own type, whose
// conversions g++ 12 makes calls; it has no type for bfloat16.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "kernels/machine/storage.hpp"

namespace attest {

[[nodiscard]] inline float widen(Fp16 x) {
#if defined(__F16C__)
  return _cvtsh_ss(x.bits);
#else
  return static_cast<float>(std::bit_cast<_Float16>(x.bits));
#endif
}
[[nodiscard]] inline float widen(Bf16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

// To nearest, ties to even, gradual underflow, past the largest value to infinity. Every NaN
// becomes the one pattern that CUDA's conversions give.
template <class Element>
[[nodiscard]] Element round_to(float x) {
  static_assert(std::is_same_v<Element, Fp16> || std::is_same_v<Element, Bf16>,
                "kernels store Fp16 or Bf16");
  if (std::isnan(x)) return {0x7fff};
  if constexpr (std::is_same_v<Element, Fp16>) {
#if defined(__F16C__)
    return {_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT)};
#else
    return {std::bit_cast<std::uint16_t>(static_cast<_Float16>(x))};
#endif
  } else {
    // Half a place up, less one where the kept part is even: a carry out of the fraction rounds
    // into the exponent, and past the largest value into infinity.
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
  }
}

}  // namespace attest
