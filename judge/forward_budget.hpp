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

// Theorem 5's quantities that the elements of one row share.
struct RowFactors {
  double z = 0;          // Z_i
  double gam_l = 0;      // of the row sum, a merge's included
  double gam_pv = 0;     // of P V
  double grown = 0;      // e^r
  double phi = 0;        // (e^r - 1) / r
  double frame = 0;      // e^2r: what a sum in the running frame may be too small by
  double u_p = 0;        // a weight's rounding on its way into P V
  double part = 0;       // how far a part's mean of values may be blown up before it is stored
  double whole_lse = 0;  // of a merge by exp(L_s - L)
};

// What the elements of one row share. Two views where the source of the row sum is not declared.
struct RowBudget {
  struct View {
    RowError error;
    RowFactors factors;
  };

  const Problem& problem;
  const Resolved& arithmetic;
  const RowMoments& row;
  View unrounded;  // meaningful if arithmetic.l_unrounded_possible
  View rounded;    // meaningful if arithmetic.l_rounded_possible

  [[nodiscard]] bool is_bounded() const;  // as far as O's row goes
};

// Requires: row.live_keys > 0; the arguments outlive the result.
[[nodiscard]] RowBudget prepare_row(const Problem& problem, const Resolved& arithmetic,
                                    const RowMoments& row);

// Most elements are accepted, and nobody looks at the terms of their budgets.
enum class Terms : bool { left_out, named };

// `exact` is O_ik's enclosure.
[[nodiscard]] Budget budget_of_o(const RowBudget& row, const ElementMoments& element,
                                 const Enclosure& exact, Terms terms = Terms::named);

[[nodiscard]] Budget budget_of_lse(const RowBudget& row, const Enclosure& exact,
                                   Terms terms = Terms::named);

}  // namespace attest
