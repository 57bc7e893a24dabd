// M01 - a row without a live key divides 0 by 0.
//
// Stands for C02 (fully masked rows) and for the empty splits of C01. Smallest: one query, no key;
// O is NaN where 0 is declared.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct NoDeadGuard : NoFault {
  static constexpr std::string_view kName = "canary/m01-no-dead-guard";
  static constexpr std::string_view kCode = "M01";
  static constexpr std::string_view kClasses = "C01, C02";
  static constexpr std::string_view kFault = "a dead row is divided by its sum of weights, 0";
  static constexpr std::string_view kLaw = "dead_rows";
  static constexpr Index kMostKeys = 64;

  static bool is_dead(float) { return false; }
};

}  // namespace attest
