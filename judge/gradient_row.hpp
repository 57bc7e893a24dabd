// gradient_row.hpp - what one query row fixes for the errors of all its pairs: the stored LSE, D,
// and the roundings of the exponent.
//
// error-analysis.md, Lemma 13 (the exponent's costs) and error-analysis.md, Lemma 14 (D).
#pragma once

#include <span>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "core/problem.hpp"
#include "judge/backward_arithmetic.hpp"
#include "judge/pair_error.hpp"

namespace attest {

// How far what a forward stored may be off, by its own budgets.
struct StoredError {
  bool lse_bounded = true;
  bool o_bounded = true;      // of an O as stored
  bool f32_o_bounded = true;  // of one in binary32
  bool in_range = true;       // no O_ik may reach the largest value of its format
  double lse = 0;
  double o = 0;      // sum_k |dO_ik| b_ik, b_ik the budget of O_ik
  double f32_o = 0;  // the same before O's rounding to its format
};

// Of a loose answer: from its upper bounds, or from what a sharper one could lower them to.
enum class Bounds : unsigned char { upper, least };

// `row` counts as in Answer; `abs_dout` holds |dO_ik| for every k.
[[nodiscard]] StoredError stored_error(const Problem& problem, const Resolved& arithmetic,
                                       const Answer& forward, std::size_t row,
                                       const double* abs_dout, Bounds bounds = Bounds::upper);

// What D's error takes from a row, beside its pairs.
struct RowInputs {
  const BackwardRow& row;
  std::span<const Pair> pairs;  // only where D may come from them
  const double* kappa;          // of every key: sum_c |k_jc|
  const double* gam_of_dp;      // Lemma 4 by number of products
  double sum_abs_dout = 0;      // sum_k |dO_ik|
  bool stage_wise = false;
};

// `stored`: zeros where a stage is judged by itself and nothing about its forward enters.
[[nodiscard]] RowCosts row_costs(const Problem& problem, const BackwardArithmetic& arithmetic,
                                 const RowInputs& in, const StoredError& stored);

// Does D's error take a row's pairs one by one?
[[nodiscard]] inline bool needs_pairs(const BackwardArithmetic& arithmetic) {
  return arithmetic.d_from_p;
}

// Does the view and declaration need what a forward's budgets say?
[[nodiscard]] bool needs_forward(const BackwardArithmetic& arithmetic, bool stage_wise);

}  // namespace attest
