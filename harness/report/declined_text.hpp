// declined_text.hpp - why a subject declined cases, in a line.
#pragma once

#include <string>

#include "harness/campaign/tally.hpp"

namespace attest {

// "declined 256 cases: 120 the kernel has no backward, 90 ..., 46 for 4 other reasons". The three
// most frequent reasons are named; the JSON report has all.
// Requires: the subject declined a case.
[[nodiscard]] std::string declined_text(const Tally& tally, const std::string& subject);

}  // namespace attest
