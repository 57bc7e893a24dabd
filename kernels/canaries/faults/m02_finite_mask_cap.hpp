// M02 - masked scores are -1e30, and tiles without a live key are computed like others.
//
// Stands for C02 (additive masks): where every score is the cap, every weight is 1, so a dead row
// returns the mean of V over its tiles and a finite LSE. One live key hides it. Smallest: one
// query, one key that it does not see.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct FiniteMaskCap : NoFault {
  static constexpr std::string_view kName = "canary/m02-finite-mask-cap";
  static constexpr std::string_view kCode = "M02";
  static constexpr std::string_view kClasses = "C02";
  static constexpr std::string_view kFault = "masked scores are -1e30, in dead rows too";
  static constexpr std::string_view kLaw = "dead_rows";
  static constexpr Index kMostKeys = 64;

  static constexpr bool kSkipsDeadTiles = false;
  static constexpr bool kReadsDeadV = true;
  static float masked_score() { return -1e30f; }
};

}  // namespace attest
