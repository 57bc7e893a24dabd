// ds-truncated - dS is cut to 16 bits where rounding to nearest is declared.
//
// No class of the catalogue, as p-truncated: every dS errs toward zero, by less than twice what its
// rounding may. dQ and dK lose with it. Smallest: one key and a gradient of LSE.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct DsTruncated : NoFault {
  static constexpr std::string_view kName = "canary/ds-truncated";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kFault = "dS is cut to its format, not rounded";
  static constexpr std::string_view kLaw = "replay";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static float stored_ds(Format format, float ds) { return cut_to_narrow(format, ds); }
};

}  // namespace attest
