// M25 - the rescale of a rising maximum is put off, in the wrong frame or beyond the range of P.
//
// Stands for C24 (deferred rescale). In the first, m stays as it was while it rises by less than 8,
// and the weights are relative to the new one all the same. In the second, m stays for good, and P
// beyond 2^16 is no f16, beyond 2^128 no bf16, while l takes it. A maximum in the first tile hides
// both. Smallest: 17 keys, the last one by 1 above the others; for the second by 12 in f16, by 89
// in bf16.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct LazyInWrongFrame : NoFault {
  static constexpr std::string_view kName = "canary/m25-lazy-in-wrong-frame";
  static constexpr std::string_view kCode = "M25";
  static constexpr std::string_view kClasses = "C24";
  static constexpr std::string_view kFault =
      "m is kept, and weights are relative to the raised one";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float kept_max(float m, float risen, float c) { return (risen - m) * c <= 8 ? m : risen; }
  static float weight_frame(float /*kept*/, float risen) { return risen; }
};

struct LazyBeyondRange : NoFault {
  static constexpr std::string_view kName = "canary/m25-lazy-beyond-range";
  static constexpr std::string_view kCode = "M25";
  static constexpr std::string_view kClasses = "C24";
  static constexpr std::string_view kFault =
      "the first tile's maximum is kept, and narrow P overflows";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float kept_max(float m, float risen, float /*c*/) {
    return m == kMinusInfinity ? risen : m;
  }
};

}  // namespace attest
