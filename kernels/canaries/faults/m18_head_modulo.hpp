// M18 - query head h reads key head h mod hk instead of h / (hq / hk).
//
// Stands for C17 (head mapping). Heads 1/1, n/1 and n/n hide it; 4/2 and 6/2 do not. Smallest: four
// query heads, two key heads, one key: head 1 returns the V of key head 1 instead of 0.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct HeadModulo : NoFault {
  static constexpr std::string_view kName = "canary/m18-head-modulo";
  static constexpr std::string_view kCode = "M18";
  static constexpr std::string_view kClasses = "C17";
  static constexpr std::string_view kFault = "query head h reads key head h mod hk";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static Index key_head(const Problem& p, Index h) { return h % p.heads_k; }
};

}  // namespace attest
