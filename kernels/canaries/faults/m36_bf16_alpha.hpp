// M36 - the factor that rescales sums when the maximum rises is rounded to bf16.
//
// Both sums meet the same factor, so what is wrong is how tiles weigh against each other. Needs a
// maximum that rises from one tile to another, so a key more than a tile has.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct Bf16Alpha : NoFault {
  static constexpr std::string_view kName = "canary/m36-bf16-alpha";
  static constexpr std::string_view kCode = "M36";
  static constexpr std::string_view kClasses = "C23";
  static constexpr std::string_view kFault = "the rescale factor is rounded to bf16";
  static constexpr std::string_view kLaw = "replay";
  static constexpr Index kMostKeys = 64;

  static float rescale_factor(float alpha) { return round_to_narrow(Format::bf16, alpha); }
};

}  // namespace attest
