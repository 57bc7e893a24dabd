// enclose_gradients_in_binary64.hpp - proved enclosures of dQ, dK and dV in binary64, by blocks.
//
// The same contract as enclose_backward, at the price of some products of matrices: scores, dP, and
// the three sums over dS and P are blocked products, and each value carries a radius that holds for
// any order of summation (docs/error-analysis.md, section 11). The exact O and LSE come from the
// forward's answer. Pairs are made when a judge asks for them, and say how sharp they are.
//
// Heads that binary64 cannot do are worked by multiprecision at once: inputs in binary64, an LSE or
// an O without sharp enclosures, scores so large that their rounding spoils P, a stored LSE far
// below the exact one.
#pragma once

#include "core/answer.hpp"
#include "oracle/enclose_backward.hpp"

namespace attest {

// `forward` holds enclosures of O and LSE for this Q, K and V; of a loose answer or a sharp one.
// Requires: problem.pass is bwd; inputs have the problem's shapes and formats.
// Memory grows with n d, never with n^2. Ensures: the same bits for any number of threads.
[[nodiscard]] BackwardAnswer enclose_gradients_in_binary64(
    const Problem& problem, const Inputs& inputs, const Answer& forward,
    const std::optional<StoredForward>& stored = std::nullopt, int threads = 1);

}  // namespace attest
