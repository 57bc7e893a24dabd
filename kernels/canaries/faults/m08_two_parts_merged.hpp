// M08 - the merge knows of two parts, however many there are.
//
// Stands for C01 (a merging kernel whose loop has a limit of its own). The subject's own choice is
// no parts, so that only a number that it is told shows it. Smallest: one query, 33 keys in three
// parts.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct TwoPartsMerged : NoFault {
  static constexpr std::string_view kName = "canary/m08-two-parts-merged";
  static constexpr std::string_view kCode = "M08";
  static constexpr std::string_view kClasses = "C01";
  static constexpr std::string_view kFault = "of three and more parts two are merged";
  static constexpr std::string_view kLaw = "configurations";
  static constexpr Index kMostKeys = 64;
  static constexpr bool kOffersConfigurations = true;

  static std::size_t merged_parts(std::size_t parts) { return std::min<std::size_t>(parts, 2); }
};

}  // namespace attest
