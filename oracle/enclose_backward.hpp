// enclose_backward.hpp - proved enclosures and classes of dQ, dK and dV, and the pairs from which
// budgets are made.
//
// Two views of what is exact. End to end, O and LSE are the exact ones of the inputs: what a user
// wants to know. Stage by stage, the O and LSE that a subject stored are taken as exact inputs of
// its backward, so that an error here is the backward's own.
//
// Two routes to each. The ladder, like the forward (docs/error-analysis.md, sections 2 and 12).
// And, from the pairs of such an answer, binary64 with proved radii (section 7), for whatever
// shares Q, K, scale and mask with it: other dO, other V, a subject's own O and LSE. It costs a
// twentieth and is asked first; where it leaves an element undecided, the ladder decides.
#pragma once

#include <optional>

#include "core/backward_answer.hpp"
#include "core/case.hpp"
#include "core/tensor.hpp"
#include "oracle/precision.hpp"

namespace attest {

// What a subject's forward left. Rows whose stored values are not finite have class undefined.
struct StoredForward {
  ConstTensorView o;      // [batch, heads_q, n_q, d_v]
  ConstTensorView lse;    // [batch, heads_q, n_q, 1]
  bool d_from_p = false;  // D_i is sum_j P_ij dP_ij over P = exp(s - stored LSE), not sum dO o
};

// On the ladder, at `precision` or above. End to end where nothing is stored.
// Requires: problem.pass is bwd; inputs have the problem's shapes and formats.
[[nodiscard]] BackwardAnswer enclose_backward(
    const Problem& problem, const Inputs& inputs,
    const std::optional<StoredForward>& stored = std::nullopt,
    Precision precision = kFirstMultiprecision);

// By binary64. `weights` is an end-to-end answer for the same problem, Q and K; V, dO and gL may be
// others. A head that binary64 cannot do, since its weights are not sharp or a stored LSE is far
// off, is worked on the ladder at once.
[[nodiscard]] BackwardAnswer enclose_backward_by_weights(
    const Problem& problem, const Inputs& inputs, const BackwardAnswer& weights,
    const std::optional<StoredForward>& stored = std::nullopt);

}  // namespace attest
