// M18 - dK and dV gather at most four query heads of a group.
//
// Stands for C17 (reduction over the heads of a group): a reduction written for the groups that its
// author had. Groups of up to four heads hide it. Smallest: five query heads, one key head, one
// key.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct FourHeads : NoFault {
  static constexpr std::string_view kName = "canary/m18-four-heads";
  static constexpr std::string_view kCode = "M18";
  static constexpr std::string_view kClasses = "C17";
  static constexpr std::string_view kFault =
      "dK and dV leave out a group's heads from the fifth on";
  static constexpr std::string_view kLaw = "group_sum";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 16;

  static bool joins_group(std::size_t n) { return n < 4; }
};

}  // namespace attest
