// recomputed_weights.hpp - weights once more, from the LSE that the forward saved, and with them
// the gradients of scores. Weights are not normalised again: what rounding did to the LSE stays in
// them.
//
//   p = exp(scale x - lse),   dS = p (dP - D),   x an unscaled score
#pragma once

#include "kernels/attention/backward_config.hpp"
#include "kernels/attention/warp_tiles.hpp"
#include "kernels/machine/exp2_poly.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

struct SavedExponent {
  WeightRule rule;
  float scale, c;  // c = scale * log2(e)

  // The LSE of a row as weight takes it.
  ATTEST_DEVICE float framed(float lse) const {
    return rule.exponent == Exponent::difference_first ? lse : lse * kLog2E;
  }
  ATTEST_DEVICE float weight(float x, float framed_lse) const {
    const float exponent = exponent_of(x, framed_lse);
    return rule.approximate ? exp2_approx(exponent) : exp2_poly(exponent);
  }

 private:
  static constexpr float kLog2E = 1.44269504f;

  ATTEST_DEVICE float exponent_of(float x, float framed_lse) const {
    if (rule.exponent == Exponent::difference_first) return (x * scale - framed_lse) * kLog2E;
    if (rule.exponent == Exponent::fused) return multiply_add(x, c, -framed_lse);
    return x * c - framed_lse;
  }
};

// What a pair of a query and a key needs to know beside its score and its dP.
struct PairOfRow {
  bool live;
  float framed_lse, dot;  // of the query; anything where the pair is not live
};

// Turns scores into weights and dP into dS. `of(r, column)` tells about a pair. Pairs that are not
// live become zeros, whatever stood there: their rows may hold NaNs.
template <int kTiles, class Of>
ATTEST_DEVICE void weigh_pairs(WarpTile<kTiles>& p, WarpTile<kTiles>& ds,
                               const SavedExponent& exponent, Of of) {
  p.for_each_with(ds, [&](int r, int column, float& weight, float& gradient) {
    const PairOfRow pair = of(r, column);
    const float p_of_pair = exponent.weight(weight, pair.framed_lse);
    weight = pair.live ? p_of_pair : 0.0f;
    gradient = pair.live ? p_of_pair * (gradient - pair.dot) : 0.0f;
  });
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
