// dropped-dq-tile - the second tile of keys never reaches dQ.
//
// A lost update, as by a race between blocks that add to one dQ; dK and dV are right. One tile of
// keys hides it. Smallest: one query, 17 keys.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct DroppedDqTile : NoFault {
  static constexpr std::string_view kName = "canary/dropped-dq-tile";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kClasses = "C21";
  static constexpr std::string_view kFault = "one tile of keys is not added to dQ";
  static constexpr std::string_view kLaw = "stage_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static bool adds_to_dq(Index tile) { return tile != 1; }
};

}  // namespace attest
