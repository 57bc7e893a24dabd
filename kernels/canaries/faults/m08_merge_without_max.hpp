// M08 - parts are merged by exp(LSE) without the largest subtracted first.
//
// Stands for C01 (overflow in merges of attentions). LSEs between -87 and 88 hide it. Smallest: one
// query, one key of scaled score 89, where infinity is divided by itself; below -104 it is 0 by 0,
// which passes for a dead row.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct MergeWithoutMax : NoFault {
  static constexpr std::string_view kName = "canary/m08-merge-without-max";
  static constexpr std::string_view kCode = "M08";
  static constexpr std::string_view kClasses = "C01";
  static constexpr std::string_view kFault = "parts weigh exp(LSE), no maximum subtracted";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr std::string_view kControl = "variant/plain-split";
  static constexpr Index kMostKeys = 64;

  static float part_frame(float) { return 0; }
};

}  // namespace attest
