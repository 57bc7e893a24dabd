// M04 - a dead first tile leaves the running maximum at 0 instead of -inf.
//
// The guard against inf - inf writes into the state, so scores that are all far below 0 never
// replace the 0 and every weight underflows. Stands for C20 (dead tile, live row). Smallest: 17
// keys, the last one live, with a scaled score below about -104, where binary32's exp ends; -17 is
// enough where P is f16.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct MaxKeptAtZero : NoFault {
  static constexpr std::string_view kName = "canary/m04-max-kept-at-zero";
  static constexpr std::string_view kCode = "M04";
  static constexpr std::string_view kClasses = "C20";
  static constexpr std::string_view kFault = "a dead first tile sets the running maximum to 0";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static void dead_tile(RowState& row) {
    if (row.m == kMinusInfinity) row.m = 0;
  }
};

}  // namespace attest
