// M20 - the backward does not mask the padding of the last tile: P = exp(0 - LSE) there.
//
// Stands for C16 (padded slots in the backward). K and V of such a slot are zero, so it adds P * 0,
// which shows once P or dS overflows: all live scores far below 0, and a row that sees the last
// key. Smallest: one query, one key; scaled score below -88.8, or where dS is f16 below about -11.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct UnmaskedBackward : NoFault {
  static constexpr std::string_view kName = "canary/m20-unmasked-backward";
  static constexpr std::string_view kCode = "M20";
  static constexpr std::string_view kClasses = "C03, C16";
  static constexpr std::string_view kFault = "the backward's P has no mask behind the last key";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static Index slots_end(Index end, Index live_keys, Index tile_end) {
    return end == live_keys ? tile_end : end;
  }
};

}  // namespace attest
