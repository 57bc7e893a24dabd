// M01 - a row that holds a NaN passes for a row without a live key.
//
// Stands for the NaN queries of C09 that come out as zeros, by the guard that C02 asks for: it asks
// for a positive sum of weights, and a NaN is none. Smallest: one query of NaN, one key; O is 0
// where NaN is due, LSE -inf.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct NanSwallowed : NoFault {
  static constexpr std::string_view kName = "canary/m01-nan-swallowed";
  static constexpr std::string_view kCode = "M01";
  static constexpr std::string_view kClasses = "C09, C27";
  static constexpr std::string_view kFault = "the guard for dead rows takes a NaN row for one";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static bool is_dead(float l) { return !(l > 0); }
};

}  // namespace attest
