// M37 - of two to eight queries the first alone is stored.
//
// Stands for C31 (kernels for short queries). One query hides it, and so do nine. Smallest: two
// queries.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct FirstRowOnly : NoFault {
  static constexpr std::string_view kName = "canary/m37-first-row-only";
  static constexpr std::string_view kCode = "M37";
  static constexpr std::string_view kClasses = "C31, C10";
  static constexpr std::string_view kFault = "of two to eight queries only row 0 is written";
  static constexpr std::string_view kLaw = "write_coverage";
  static constexpr Index kMostKeys = 64;

  static bool stores_row(const Problem& p, Index i) { return i == 0 || p.n_q > 8; }
};

}  // namespace attest
