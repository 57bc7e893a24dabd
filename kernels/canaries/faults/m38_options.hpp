// M38 - an option that the backward never gets, and a head dimension beyond what there is code for.
//
// Stands for C26 (unsupported configurations accepted, launches dropped) and C16 (options lost on
// the way to the backward). No window hides the first; smallest: two queries, two keys, left = 0.
// d_qk up to 256 hides the second, and no drawn case is larger.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct OptionDropped : NoFault {
  static constexpr std::string_view kName = "canary/m38-option-dropped";
  static constexpr std::string_view kCode = "M38";
  static constexpr std::string_view kClasses = "C16, C26";
  static constexpr std::string_view kFault = "the backward knows no left end of a window";
  static constexpr std::string_view kLaw = "mask_agreement";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static Band band(const Problem& p) { return {kUnlimited, p.right}; }
};

struct LaunchDropped : NoFault {
  static constexpr std::string_view kName = "canary/m38-launch-dropped";
  static constexpr std::string_view kCode = "M38";
  static constexpr std::string_view kClasses = "C26, C11";
  static constexpr std::string_view kFault = "d_qk above 256 is accepted, and nothing is computed";
  static constexpr std::string_view kLaw = "envelope";
  static constexpr Index kMostKeys = 64;

  static bool stores_row(const Problem& p, Index) { return p.d_qk <= 256; }
};

}  // namespace attest
