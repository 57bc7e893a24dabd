// row_error.hpp - the log-error of a row's weights, from moments and declared arithmetic.
//
// error-analysis.md, Theorem 4: after all tiles the stored weight of key j is C exp(s_j - m)
// exp(lambda_j) with one C for the row and |lambda_j| <= rho_j, and rho_j is linear in the factors
// of core/moments. Everything that O and LSE budgets share about a row is computed here once.
#pragma once

#include "core/moments.hpp"
#include "core/problem.hpp"
#include "judge/arithmetic.hpp"
#include "judge/budget.hpp"
#include "judge/score_error.hpp"
#include "judge/split_error.hpp"

namespace attest {

[[nodiscard]] double max_abs(const Enclosure& e);

[[nodiscard]] double dot(const Coefficients& coefficients, const FactorSums& sums);

// (e^x - 1) / x, which bounds e^rho - 1 by growth(x) rho for every rho <= x. Requires: x >= 0.
[[nodiscard]] double growth(double x);

struct RowError {
  Unbounded unbounded = Unbounded::no;      // why no budget of O in this row is finite
  Unbounded unbounded_lse = Unbounded::no;  // likewise LSE
  Index tiles = 1;                          // that hold a live key; where split, most of a part
  LiveParts live;                           // where split
  bool merged = false;                      // parts are merged, and that rounds: section 9
  MergeError merge;                         // zero unless merged
  Coefficients scores{};                    // r_j: the dot product, the scale, a stored score
  Coefficients exponent{};                  // e_j: the roundings of the exponent
  Coefficients exp2{};                      // the errors of exp2 itself
  Coefficients exponent_lse{};  // e'_j: the same roundings where no common factor cancels
  double max_rho = 0;           // r: of O, over near keys
  double max_rho_lse = 0;       // the same of LSE
  double max_shift = 0;         // r*: how far the computed maximum may lie from m
  double behind = 0;            // how far the subject's maximum may lag, in natural units
  double frame = 1;             // bound on (1 / C) times any product of rescale factors
  double pv_unit = 1;           // what an absolute error within P V is worth in O
  double theta = 0;             // absolute error of a weight by underflow, over l
  double flushed = 0;           // what the row sum's own operations lose by it, over l
  double lost = 0;              // all that the row sum loses by underflow, over l
  double weight_lost = 0;       // absolute error of a part's weight by underflow, of all of them 1
  double parts_lost = 0;        // what the sum of these weights loses by it
  double far = 0;               // 2^-280 if there are far keys: Lemma 6

  // sum of pi_j rho_j over near keys, in the weights' own error or the one that LSE sees.
  [[nodiscard]] double mean_rho(const RowMoments& row) const;
  [[nodiscard]] double mean_rho_lse(const RowMoments& row) const;
};

// `l_rounded`: the row sum adds the rounded P. Requires: row.live_keys > 0.
[[nodiscard]] RowError bound_row_error(const Problem& problem, const Resolved& arithmetic,
                                       const RowMoments& row, bool l_rounded);

}  // namespace attest
