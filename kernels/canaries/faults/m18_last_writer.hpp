// M18 - each query head of a group overwrites the group's dK instead of adding to it.
//
// Stands for C17 (reduction over the heads of a group). Groups of one head hide it, and so does a
// key that the last head alone sees. Smallest: two query heads, one key head, two keys; or one key
// and a gradient of LSE.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct LastWriter : NoFault {
  static constexpr std::string_view kName = "canary/m18-last-writer";
  static constexpr std::string_view kCode = "M18";
  static constexpr std::string_view kClasses = "C17";
  static constexpr std::string_view kFault = "dK of a group is that of its last query head";
  static constexpr std::string_view kLaw = "group_sum";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static void enter_head(std::vector<float>& dk) { std::fill(dk.begin(), dk.end(), 0.0f); }
};

}  // namespace attest
