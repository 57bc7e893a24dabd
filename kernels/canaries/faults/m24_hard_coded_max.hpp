// M24 - the maximum that is subtracted is 10, whatever the scores are.
//
// Stands for C04 (score range). Scores between -7 and 20 hide it. Smallest: one query, one key of
// scaled score 22 where P is f16, or 99 where it is bf16.
#pragma once

#include <numbers>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct HardCodedMax : NoFault {
  static constexpr std::string_view kName = "canary/m24-hard-coded-max";
  static constexpr std::string_view kCode = "M24";
  static constexpr std::string_view kClasses = "C04";
  static constexpr std::string_view kFault = "10 is subtracted from scores, no maximum";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float kept_max(float /*m*/, float /*risen*/, float c) {
    return 10 * std::numbers::log2e_v<float> / c;
  }
};

}  // namespace attest
