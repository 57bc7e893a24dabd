// enclose_head_gradients.hpp - dO.v of every live pair of rows of one query head, and dO.o of all
// its rows, in binary64 with a proved radius.
//
// error-analysis.md, Lemma 32.
#pragma once

#include <vector>

#include "core/case.hpp"
#include "core/head_scores.hpp"
#include "core/row_dot.hpp"
#include "core/tensor.hpp"

namespace attest {

// dP, with dO and V in place of Q and K; known, and paid for, as the scores of enclose_scores are.
// Requires: problem.pass is bwd.
[[nodiscard]] HeadScores enclose_dp(const Problem& problem, const Inputs& inputs, Index b, Index h,
                                    RowRange rows);

// Of all rows.
[[nodiscard]] HeadScores enclose_dp(const Problem& problem, const Inputs& inputs, Index b, Index h);

// Of every query row, for an O that a forward stored. Nothing is known of rows without a live key.
// Requires: problem.pass is bwd.
[[nodiscard]] std::vector<RowDot> enclose_row_dots(const Problem& problem, const Inputs& inputs,
                                                   ConstTensorView o, Index b, Index h);

}  // namespace attest
