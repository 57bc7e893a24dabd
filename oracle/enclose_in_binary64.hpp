// enclose_in_binary64.hpp - proved enclosures and moments of O and LSE in binary64, by blocks.
//
// The same contract as enclose_forward, at about twice the price of an unproved binary64 softmax.
// Scores, weights and P V are blocked products; each value carries a radius that holds for any
// order of summation (docs/error-analysis.md, section 10). Budgets need sums of |v - O| over
// weights, which no product of matrices gives: their Cauchy-Schwarz bounds stand in the answer, and
// beside them lower bounds (Answer::least), so that the judge knows what a sharper answer could
// still change.
//
// Rows that binary64 cannot do go up the ladder at once, by row: inputs that are not finite, f64,
// dead rows, keys more than 700 below the largest score, magnitudes whose squares overflow.
#pragma once

#include "core/answer.hpp"
#include "core/case.hpp"

namespace attest {

// Requires: inputs have the problem's shapes and format. Memory grows with n d, never with n^2.
// Ensures:  the same bits for any number of threads.
[[nodiscard]] Answer enclose_in_binary64(const Problem& problem, const Inputs& inputs,
                                         int threads = 1);

}  // namespace attest
