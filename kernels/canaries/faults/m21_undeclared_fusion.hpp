// M21 - the exponent is exp2(fma(x, c, -m c)), where the difference is declared to come first.
//
// Stands for C04 (contraction by the compiler): the product m c is rounded, x c is not, and their
// difference is off by 2^-24 of m c. Scores up to some thousands hide it. Smallest: one query, one
// key of scaled score 2^17 or more.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct UndeclaredFusion : NoFault {
  static constexpr std::string_view kName = "canary/m21-undeclared-fusion";
  static constexpr std::string_view kCode = "M21";
  static constexpr std::string_view kClasses = "C04";
  static constexpr std::string_view kFault =
      "exponents are fused, and difference_first is declared";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static Exponent exponent(Exponent) { return Exponent::fused; }
};

}  // namespace attest
