// score_error.hpp - the error of one computed score, which the forward and the backward share.
//
// error-analysis.md, Theorem 4, part 1.
#pragma once

#include "core/moments.hpp"
#include "core/problem.hpp"
#include "judge/arithmetic.hpp"

namespace attest {

// Coefficients of one cause of log-error; their factor sums are its share.
using Coefficients = FactorSums;

// r_j, but for second-order parts; `max_products`: the most non-zero products of a live key's
// score.
[[nodiscard]] Coefficients score_coefficients(const Problem& problem, const Resolved& arithmetic,
                                              Index max_products);

// The scale as later operations see it: 1 where Q carries it already. Unknown: the larger of both.
[[nodiscard]] double later_scale(const Problem& problem, const Resolved& arithmetic);

// How large a stored score is, over |s|; unknown: the larger of both.
[[nodiscard]] double stored_part(const Problem& problem, const Resolved& arithmetic);

}  // namespace attest
