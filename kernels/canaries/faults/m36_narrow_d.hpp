// M36 - D is kept in 16 bits between the pass that makes it and the one that uses it.
//
// C23, a repeated rounding. P (dP - D) moves by less than dS is rounded by, a rounding that a
// budget grants to every pair. Smallest: one key, two columns, dO.v with a bit more than D has.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

template <Format kFormat>
struct NarrowD : NoFault {
  static_assert(kFormat == Format::f16 || kFormat == Format::bf16);
  static constexpr bool kIsF16 = kFormat == Format::f16;
  static constexpr std::string_view kName = kIsF16 ? "canary/m36-f16-d" : "canary/m36-bf16-d";
  static constexpr std::string_view kCode = "M36";
  static constexpr std::string_view kClasses = "C23";
  static constexpr std::string_view kFault =
      kIsF16 ? "D is rounded to FP16 before dP - D" : "D is rounded to BF16 before dP - D";
  static constexpr std::string_view kLaw = "replay";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static float kept_d(float d) { return round_to_narrow(kFormat, d); }
};

}  // namespace attest
