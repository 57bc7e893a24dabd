// M14 - the zero padding of the last tile counts as keys of score 0 with V = 0.
//
// The length is used to load, not to mask. Stands for C03 (partial tiles) and C22 (page tails). A
// causal row that ends at the last key hides it. Smallest: one query, one key; V = 1 gives
// e^s / (e^s + 15) instead of 1, whatever the scale of V, hence the law.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct UnmaskedLengthTail : NoFault {
  static constexpr std::string_view kName = "canary/m14-unmasked-length-tail";
  static constexpr std::string_view kCode = "M14";
  static constexpr std::string_view kClasses = "C03, C22";
  static constexpr std::string_view kFault = "the last tile's padding counts as keys of score 0";
  static constexpr std::string_view kLaw = "constant_v";
  static constexpr Index kMostKeys = 64;

  static Index key_limit(Index live_keys, Index tile_k) {
    return (live_keys + tile_k - 1) / tile_k * tile_k;
  }
};

}  // namespace attest
