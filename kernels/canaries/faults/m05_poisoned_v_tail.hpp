// M05 - V of dead slots is multiplied by their weight 0, and 0 * NaN is NaN.
//
// Stands for C09 (don't-care bytes reach the result) and the V side of C03. The read stays inside
// the tensor: slots at or beyond n_k are zero. Smallest: one query, two keys of which one is live,
// NaN in the V of the other.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct PoisonedVTail : NoFault {
  static constexpr std::string_view kName = "canary/m05-poisoned-v-tail";
  static constexpr std::string_view kCode = "M05";
  static constexpr std::string_view kClasses = "C03, C09";
  static constexpr std::string_view kFault = "V rows of dead keys are read, at weight 0";
  static constexpr std::string_view kLaw = "containment";
  static constexpr Index kMostKeys = 64;

  static constexpr bool kReadsDeadV = true;
};

}  // namespace attest
