// rounded-d - D comes from the O that was rounded to 16 bits where an f32 O is declared.
//
// No class of the catalogue: it is what most kernels do, and right if declared. dP - D must cancel
// to show it: keys of nearly equal V. Smallest: one query, two keys.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct RoundedD : NoFault {
  static constexpr std::string_view kName = "canary/rounded-d";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kFault = "D is summed over the rounded O, not the f32 one";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr std::string_view kControl = "variant/plain-f32-d";
  static constexpr Index kMostKeys = 64;

  static DSource source_of_d(DSource) { return DSource::stored_o; }
};

}  // namespace attest
