// M10 - results of the second stage have a batch stride of 0.
//
// Stands for C01 and C13 (rows of later sequences are never written). One batch entry hides it.
// Smallest: two entries, one query and one key each.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct BatchStride : NoFault {
  static constexpr std::string_view kName = "canary/m10-batch-stride";
  static constexpr std::string_view kCode = "M10";
  static constexpr std::string_view kClasses = "C01, C13";
  static constexpr std::string_view kFault = "the merge writes every batch entry over entry 0";
  static constexpr std::string_view kLaw = "write_coverage";
  static constexpr Index kMostKeys = 64;
  static constexpr std::string_view kControl = "variant/plain-split";

  static Index stored_entry(Index) { return 0; }
};

}  // namespace attest
