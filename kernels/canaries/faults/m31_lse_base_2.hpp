// M31 - LSE is stored in base 2 where natural units are declared.
//
// Stands for C12 (what LSE means). Two canaries of one fault: the stored LSE itself is wrong, and
// so are all gradients, since the backward takes it for a natural one. Their stage-wise view does
// not show it: P = exp(s - stored LSE) is what that view takes as exact. LSE = 0 hides it.
// Smallest: one query, one key of scaled score 1; for dQ two keys.
#pragma once

#include <numbers>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct LseBase2 : NoFault {
  static constexpr std::string_view kName = "canary/m31-lse-base-2";
  static constexpr std::string_view kCode = "M31";
  static constexpr std::string_view kClasses = "C12";
  static constexpr std::string_view kFault = "LSE is stored in base 2";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float lse(float value) { return value * std::numbers::log2e_v<float>; }
};

struct LseBase2Backward : LseBase2 {
  static constexpr std::string_view kName = "canary/m31-lse-base-2-backward";
  static constexpr std::string_view kFault = "P comes from an LSE that was stored in base 2";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
};

}  // namespace attest
