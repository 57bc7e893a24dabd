// M36 - dS is cut to its format where rounding to nearest is declared.
//
// C23, a biased rounding: every dS errs toward zero, by less than twice what a rounding may. dQ and
// dK lose with it. Smallest: one query, two keys.
#pragma once

#include <string_view>

#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct TruncatedDs : NoFault {
  static constexpr std::string_view kName = "canary/m36-truncated-ds";
  static constexpr std::string_view kCode = "M36";
  static constexpr std::string_view kFault = "dS is truncated, not rounded to nearest";
  static constexpr std::string_view kLaw = "replay";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static float stored_ds(Format format, float ds) { return cut_to_narrow(format, ds); }
};

}  // namespace attest
