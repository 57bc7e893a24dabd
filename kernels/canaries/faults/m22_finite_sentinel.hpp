// M22 - "-inf" is -5e4: as the first maximum and as the score of masked slots.
//
// Stands for C04 (sentinels). Scores below it, unscaled here, never become the maximum, their
// weights underflow, and masked slots of the tile count with weight 1. Smallest: one query, one
// key, q.k so far below -5e4 that the scaled distance passes 104 (17 where P is f16).
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct FiniteSentinel : NoFault {
  static constexpr std::string_view kName = "canary/m22-finite-sentinel";
  static constexpr std::string_view kCode = "M22";
  static constexpr std::string_view kClasses = "C04";
  static constexpr std::string_view kFault = "masked scores and the first maximum are -5e4";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static constexpr float kSentinel = -5e4f;
  static float masked_score() { return kSentinel; }
  static float initial_max() { return kSentinel; }
};

}  // namespace attest
