// M11 - the band hangs at the top left corner where the bottom right one is asked for.
//
// Stands for C05 (causal alignment) and C14 (windows of rectangular problems). Smallest: one query,
// two keys, right=0, align=br: the row sees key 0 alone instead of both.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct TopLeftCausal : NoFault {
  static constexpr std::string_view kName = "canary/m11-top-left-causal";
  static constexpr std::string_view kCode = "M11";
  static constexpr std::string_view kClasses = "C05, C14";
  static constexpr std::string_view kFault = "align=br is ignored: every band is top-left";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static Index band_offset(const Problem&, Index) { return 0; }
};

}  // namespace attest
