// rounded_row.hpp - D_i and dS_ij of one row by binary64 from bounds of its P_ij, with radii.
#pragma once

#include <vector>

#include "oracle/gradient_classes.hpp"

namespace attest {

// dS_j, in the order of the pairs, and what its uncertainty and all later roundings cost a sum:
// error-analysis.md, Theorem 8.
struct RoundedRow {
  std::vector<double> ds;
  std::vector<double> cost;
};

// Fills what pairs and row hold of dP and D. The pairs hold pi, too large by at most `excess`
// relatively or by 2^-1070, and their g.
//
//   terms  at least the number of terms of any gradient's sum.
[[nodiscard]] RoundedRow round_row(const HeadTask& task, const GradientQuery& query, double excess,
                                   Index terms, BackwardRow& row);

// What P_j's uncertainty and all later roundings cost a sum of P_j times something.
[[nodiscard]] double cost_of_share(double pi, double excess, Index terms);

}  // namespace attest
