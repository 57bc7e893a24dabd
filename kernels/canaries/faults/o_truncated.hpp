// o-truncated - O is cut to its 16 bits where rounding to nearest is declared.
//
// No class of the catalogue, and half of the elements are right. Smallest: one query, two keys
// (with one, O is a value of V and has nothing to be cut).
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct OTruncated : NoFault {
  static constexpr std::string_view kName = "canary/o-truncated";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kFault = "O is cut to its format, not rounded";
  static constexpr std::string_view kLaw = "replay";
  static constexpr Index kMostKeys = 64;

  static float output(Format format, float o) { return cut_to_narrow(format, o); }
};

}  // namespace attest
