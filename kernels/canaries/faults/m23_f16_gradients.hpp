// M23 - the backward gathers dQ, dK and dV in FP16.
//
// Stands for C04 and C23 (FP16 accumulators, systematic loss). Needs sums whose FP16 spacing, or
// whose smallest subnormal, passes the roundings of P, dS and the gradient: many rows with dO of
// one sign, or in bf16 a tiny dO.
#pragma once

#include <string_view>

#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct F16Gradients : NoFault {
  static constexpr std::string_view kName = "canary/m23-f16-gradients";
  static constexpr std::string_view kCode = "M23";
  static constexpr std::string_view kFault = "sums of dQ, dK and dV are kept in FP16";
  static constexpr std::string_view kLaw = "stage_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 104;

  static float gradient_sum(float sum) { return round_to_narrow(Format::f16, sum); }
};

}  // namespace attest
