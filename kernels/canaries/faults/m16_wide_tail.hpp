// M16 - beyond 64 columns dP takes whole vectors of eight alone.
//
// Stands for C11 (head dimensions that are no multiple of a vector): loads by 16 bytes whose tail
// is written for narrow heads only. Heads of up to 64 columns hide it, and so do multiples of
// eight. Smallest: d_v = 65, two keys.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct WideTail : NoFault {
  static constexpr std::string_view kName = "canary/m16-wide-tail";
  static constexpr std::string_view kCode = "M16";
  static constexpr std::string_view kClasses = "C11";
  static constexpr std::string_view kFault = "dP leaves out the last columns of wide ragged heads";
  static constexpr std::string_view kLaw = "stage_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 16;

  static Index dp_columns(const Problem& p) { return p.d_v > 64 ? p.d_v / 8 * 8 : p.d_v; }
};

}  // namespace attest
