// recomputed_weights.hpp - weights once more, from the LSE that the forward saved, and with them
// the gradients of scores. Weights are not normalised again: what rounding did to the LSE stays in
// them.
//
//   p = exp(scale x - lse),   dS = p (dP - D),   x an unscaled score
#pragma once

#include "kernels/attention/backward_config.hpp"
#include "kernels/attention/exponent_form.hpp"
#include "kernels/attention/warp_tiles.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// How exponents of two come from scores and a saved LSE; c = scale * log2(e).
template <Exponent kForm>
struct SavedExponent {
  float scale, c;

  // The LSE of a row as of_weight takes it.
  ATTEST_DEVICE static float framed(float lse) {
    if constexpr (kForm == Exponent::difference_first) {
      return lse;
    } else {
      return lse * 1.44269504f;  // log2(e)
    }
  }
  ATTEST_DEVICE float of_weight(float x, float framed_lse) const {
    if constexpr (kForm == Exponent::difference_first) {
      return (x * scale - framed_lse) * 1.44269504f;
    } else if constexpr (kForm == Exponent::fused) {
      return multiply_add(x, c, -framed_lse);
    } else {
      return x * c - framed_lse;
    }
  }
};

// What a pair of a query and a key needs to know beside its score and its dP.
struct PairOfRow {
  bool live;
  float framed_lse, dot;  // of the query; anything where the pair is not live
};

// Turns scores into weights and dP into dS. `of(r, column)` tells about a pair. Pairs that are not
// live become zeros, whatever stood there: their rows may hold NaNs.
template <BackwardConfig kConfig, int kTiles, class Of>
ATTEST_DEVICE void weigh_pairs(WarpTile<kTiles>& p, WarpTile<kTiles>& ds, float scale,
                               float scale_log2, Of of) {
  const SavedExponent<kConfig.exponent> exponent{scale, scale_log2};
  p.for_each_with(ds, [&](int r, int column, float& weight, float& gradient) {
    const PairOfRow pair = of(r, column);
    const float p_of_pair =
        exp2_by<kConfig.approximate>(exponent.of_weight(weight, pair.framed_lse));
    weight = pair.live ? p_of_pair : 0.0f;
    gradient = pair.live ? p_of_pair * (gradient - pair.dot) : 0.0f;
  });
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
