// p-truncated - P is cut to 16 bits where rounding to nearest is declared.
//
// No class of the catalogue: each weight errs by less than twice what its rounding may, which a
// budget that knows no schedule forgives in most cases. Smallest: one query, two keys.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct PTruncated : NoFault {
  static constexpr std::string_view kName = "canary/p-truncated";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kFault = "P is cut to its format, not rounded";
  static constexpr std::string_view kLaw = "replay";
  static constexpr Index kMostKeys = 64;

  static float store_p(Format format, float p) { return cut_to_narrow(format, p); }
};

}  // namespace attest
