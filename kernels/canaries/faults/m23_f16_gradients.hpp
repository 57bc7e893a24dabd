// M23 - the backward gathers dQ, dK and dV in FP16.
//
// Stands for C04 and C23 (FP16 accumulators, systematic loss). Needs a sum whose FP16 spacing
// passes the roundings of P, dS and the gradient, or terms below half of FP16's smallest number.
// Smallest: one key; in f16 four queries with dO = 2048, 1, 1, 1, in bf16 one with dO = 2^-26.
#pragma once

#include <string_view>

#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct F16Gradients : NoFault {
  static constexpr std::string_view kName = "canary/m23-f16-gradients";
  static constexpr std::string_view kCode = "M23";
  static constexpr std::string_view kClasses = "C04, C23";
  static constexpr std::string_view kFault = "sums of dQ, dK and dV are kept in FP16";
  static constexpr std::string_view kLaw = "stage_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static float gradient_sum(float sum) { return round_to_narrow(Format::f16, sum); }
};

}  // namespace attest
