// M31 - the gradient given for LSE does not reach D.
//
// Stands for C12 (dLSE ignored). Problems without glse hide it. Smallest: one query, one key: dQ is
// 0 instead of scale gL k.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct LseGradientIgnored : NoFault {
  static constexpr std::string_view kName = "canary/m31-lse-gradient-ignored";
  static constexpr std::string_view kCode = "M31";
  static constexpr std::string_view kClasses = "C12";
  static constexpr std::string_view kFault = "the gradient of LSE is ignored";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static float d_less_gl(float d, float) { return d; }
};

}  // namespace attest
