// M13 - the mask of four query rows is that of the last of them.
//
// Stands for C05 (causal leaks): the rows before it see keys of their future. Every fourth row is
// right, and bands without a right end hide it. Smallest: two queries, two keys, causal.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct MaskPerRowGroup : NoFault {
  static constexpr std::string_view kName = "canary/m13-mask-per-row-group";
  static constexpr std::string_view kCode = "M13";
  static constexpr std::string_view kClasses = "C05";
  static constexpr std::string_view kFault = "four rows share the right end of the last one";
  static constexpr std::string_view kLaw = "non_interference";
  static constexpr Index kMostKeys = 64;

  static Index row_end(const Problem& p, const RowAt& at, Index /*begin*/, Index end) {
    constexpr Index kRows = 4;
    if (p.right == kUnlimited) return end;
    const Index last_row = std::min(at.i - at.i % kRows + kRows, p.live_queries(at.b)) - 1;
    return std::min(end + last_row - at.i, p.live_keys(at.b));
  }
};

}  // namespace attest
