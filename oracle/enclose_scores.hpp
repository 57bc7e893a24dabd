// enclose_scores.hpp - q.k of every live pair of rows of one query head in binary64, with a proved
// radius.
//
// error-analysis.md, Lemma 32.
#pragma once

#include "core/case.hpp"
#include "core/head_scores.hpp"

namespace attest {

// Rows with an infinity or a NaN in the query or a live key, and all rows of inputs in f64, are not
// known. Memory and time are those of all pairs of the rows. Requires: rows of the problem.
[[nodiscard]] HeadScores enclose_scores(const Problem& problem, const Inputs& inputs, Index b,
                                        Index h, RowRange rows);

// Of all rows.
[[nodiscard]] HeadScores enclose_scores(const Problem& problem, const Inputs& inputs, Index b,
                                        Index h);

}  // namespace attest
