// M09 - the first stage skips a part without a live key, and the merge reads what stands there.
//
// Stands for C01 (stale scratch of an empty split). The same part of an earlier row, if that saw
// it, takes part in the merge; before the first such row the scratch is empty, as it should be.
// Smallest: two queries, two parts, of which the second row sees one.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct SkippedPart : NoFault {
  static constexpr std::string_view kName = "canary/m09-skipped-part";
  static constexpr std::string_view kCode = "M09";
  static constexpr std::string_view kClasses = "C01, C10";
  static constexpr std::string_view kFault =
      "parts without a live key hold an earlier row's result";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;
  static constexpr std::string_view kControl = "variant/plain-split";

  static constexpr bool kMarksEmptyParts = false;
};

}  // namespace attest
