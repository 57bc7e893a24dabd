// split_merge.hpp - the algebra of parts: LSEs merge by the recurrence that rescales tiles.
//
// A part of weight exp(LSE_s) joins what was merged before under the maximum of both. (0, -inf) is
// the identity, two parts give the same bits in either order, and more of them any order within
// their budget (docs/error-analysis.md, Theorem 15).
#pragma once

#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"
#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// exp(difference), difference <= 0 but for rounding.
ATTEST_DEVICE float part_weight(float difference) {
  constexpr float kLog2e = 1.44269504f;
  return exp2_poly(difference * kLog2e);
}

struct MergedParts {
  float m = -INFINITY;  // the largest LSE so far
  float l = 0;          // the sum of exp(LSE_s - m)

  // What a sum of weighted parts becomes when another joins: sum * rescale + weight * O_s.
  struct Step {
    float rescale, weight;
    // Two products and a sum, all rounded: a fused one would tell the parts' order.
    ATTEST_DEVICE float of(float sum, float o) const { return sum * rescale + weight * o; }
  };
  ATTEST_DEVICE Step take(float lse) {
    const float top = fmaxf(m, lse);
    const float shift = top == -INFINITY ? 0.0f : top;  // nothing yet: -inf - -inf would be NaN
    const Step step{part_weight(m - shift), part_weight(lse - shift)};
    l = step.of(l, 1.0f);
    m = top;
    return step;
  }
  ATTEST_DEVICE float lse() const { return m + log_poly(l); }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
