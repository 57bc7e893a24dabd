// M08 - merging parts without a live key asks for exp(-inf - -inf).
//
// Stands for C01 (split-KV merges: two empty states). A row with one live key hides it, since an
// empty part then weighs exp(-inf) = 0. Smallest: one query, one key that it does not see; O is NaN
// where 0 is declared.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct MergeWithoutGuard : NoFault {
  static constexpr std::string_view kName = "canary/m08-merge-without-guard";
  static constexpr std::string_view kCode = "M08";
  static constexpr std::string_view kClasses = "C01";
  static constexpr std::string_view kFault = "empty parts merge by exp(-inf - -inf)";
  static constexpr std::string_view kLaw = "dead_rows";
  static constexpr std::string_view kControl = "variant/plain-split";
  static constexpr Index kMostKeys = 64;

  static bool part_is_empty(float) { return false; }
};

}  // namespace attest
