// forward_budget.hpp - budgets of O and LSE from moments and declared arithmetic.
//
// error-analysis.md, Theorem 5 (O) and error-analysis.md, Theorem 6 (LSE); of keys in parts
// error-analysis.md, Theorem 15 and error-analysis.md, Theorem 16. Every named term is a row of the
// tables there. Budgets are upward: error-analysis.md, Lemma 5.
#pragma once

#include "core/moments.hpp"
#include "core/problem.hpp"
#include "judge/arithmetic.hpp"
#include "judge/budget.hpp"
#include "judge/row_error.hpp"

namespace attest {

// What the elements of one row share. Two views where the source of the row sum is not declared.
struct RowBudget {
  const Problem& problem;
  const Resolved& arithmetic;
  const RowMoments& row;
  RowError unrounded;  // meaningful if arithmetic.l_unrounded_possible
  RowError rounded;    // meaningful if arithmetic.l_rounded_possible

  [[nodiscard]] bool is_bounded() const;  // as far as O's row goes
};

// Requires: row.live_keys > 0; the arguments outlive the result.
[[nodiscard]] RowBudget prepare_row(const Problem& problem, const Resolved& arithmetic,
                                    const RowMoments& row);

// `exact` is O_ik's enclosure.
[[nodiscard]] Budget budget_of_o(const RowBudget& row, const ElementMoments& element,
                                 const Enclosure& exact);

[[nodiscard]] Budget budget_of_lse(const RowBudget& row, const Enclosure& exact);

}  // namespace attest
