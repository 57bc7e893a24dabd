// arb_gradients.hpp - gradients by balls, by another route than the first oracle's.
//
// End to end through the Jacobian of the softmax, dS_ij = sum_m dP_im pi_im ([j = m] - pi_ij) +
// gL_i pi_ij, where no D_i and no O_i occur. Stage by stage from the definition. Finite inputs
// only.
#pragma once

#include <optional>
#include <vector>

#include "oracle/enclose_backward.hpp"
#include "tests/oracle/arb_oracle.hpp"

namespace attest {

// One row; vectors over keys start at keys.first.
struct ArbBackwardRow {
  VisibleKeys keys;
  Ball lse;  // exact or stored
  std::vector<Ball> s;
  std::vector<Ball> p;
  std::vector<Ball> dp;
  std::vector<Ball> g;        // sum_k |dO_k v_jk|
  std::vector<Ball> ds;       // end to end by the Jacobian
  std::vector<Ball> ds_size;  // P (g + d_size)
  Ball d;                     // sum_k dO_k O_k - gL, or as it is stored
  Ball d_size;                // what d is, without cancellation
  Ball abs_dout_o;            // sum_k |dO_k O_k|
};

// Requires: i < lq(b). Empty for no keys.
[[nodiscard]] ArbBackwardRow arb_backward_row(const Problem& problem, const Inputs& inputs,
                                              const std::optional<StoredForward>& stored, Index b,
                                              Index h, Index i);

// One gradient tensor: its elements, and for each the sum of magnitudes of everything that was
// added up for it, without any cancellation.
struct ArbGradient {
  std::vector<Ball> values;
  std::vector<Ball> sizes;
};

struct ArbGradients {
  ArbGradient dq;
  ArbGradient dk;
  ArbGradient dv;
};

[[nodiscard]] ArbGradients arb_gradients(const Problem& problem, const Inputs& inputs,
                                         const std::optional<StoredForward>& stored);

}  // namespace attest
