// split_emulation.hpp - attention with split keys as a declaration describes it, scalar and with
// nothing of any kernel: what the budgets of error-analysis.md, section 9 are held against.
#pragma once

#include "core/case.hpp"
#include "core/numerics.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {

// Where a declaration leaves a choice.
struct SplitChoices {
  bool descending_tiles = false;  // within a part
  bool descending_parts = false;
  bool largest_first = false;  // the merge knows the largest LSE before it adds, and never rescales
  int exp2_ulps = 0;           // every exp2 is off by this many ulps, upward if positive
};

// O and LSE of one batch entry and head. Requires: every field declared, unit fp32-seq, scores
// scaled and kept in binary32, P normalised after P V; no mask, one row or more.
[[nodiscard]] Result emulate_split(const Problem& problem, const Inputs& inputs,
                                   const Numerics& declared, const SplitChoices& choices = {});

}  // namespace attest
