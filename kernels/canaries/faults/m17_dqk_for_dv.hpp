// M17 - dP = dO V^T sums over d_qk columns where there are d_v.
//
// Stands for C11 (d_qk != d_v). Columns past d_v are zero padding, so only d_qk < d_v shows it.
// Smallest: one query, one key, d_qk = 1, d_v = 2: dP and D should cancel and do not.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct DqkForDv : NoFault {
  static constexpr std::string_view kName = "canary/m17-dqk-for-dv";
  static constexpr std::string_view kCode = "M17";
  static constexpr std::string_view kClasses = "C11";
  static constexpr std::string_view kFault = "dP sums over d_qk columns instead of d_v";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static Index dp_columns(const Problem& p) { return std::min(p.d_qk, p.d_v); }
};

}  // namespace attest
