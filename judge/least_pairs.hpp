// least_pairs.hpp - what sharper bounds could lower the pairs and rows of a loose answer to.
//
// Budgets of gradients grow with every bound, so those of lower bounds are lower bounds of budgets
// (error-analysis.md, Lemma 24). Rows that are not loose stay what they are.
#pragma once

#include "core/backward_answer.hpp"

namespace attest {

// All but its pairs.
[[nodiscard]] BackwardRow least_of(const BackwardRow& row);

// A pair of that row.
[[nodiscard]] Pair least_of(const Pair& pair, const BackwardRow& row);

}  // namespace attest
