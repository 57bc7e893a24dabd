// canary_table.hpp - which wrong kernels were caught, for a terminal.
#pragma once

#include <string>

#include "harness/campaign/canary_run.hpp"
#include "harness/report/palette.hpp"

namespace attest {

// "caught", or why it is not.
[[nodiscard]] std::string canary_verdict(const CanaryVerdict& canary);

[[nodiscard]] std::string canary_report(const CanaryRun& run, const Palette& palette);

}  // namespace attest
