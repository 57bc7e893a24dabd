// M33 - the default scale is that of d_qk padded to a multiple of 8.
//
// Stands for C30 (softmax scale). d_qk = 8, 16, ... hides it, and so does a scale that somebody
// chose. Smallest: one query, one key, d_qk = 1, where LSE is 0.35 of the score.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct PaddedScale : NoFault {
  static constexpr std::string_view kName = "canary/m33-padded-scale";
  static constexpr std::string_view kCode = "M33";
  static constexpr std::string_view kClasses = "C30, C11";
  static constexpr std::string_view kFault = "1/sqrt(d) is that of a padded d";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float scale(const Problem& p) {
    const bool chosen = p.scale != default_scale(p.d_qk);
    return chosen ? p.scale : default_scale((p.d_qk + 7) / 8 * 8);
  }
};

}  // namespace attest
