// pair_error.hpp - how far the weight P_ij and the score gradient dS_ij of one pair may be off.
//
// error-analysis.md, Lemma 13 (weights) and error-analysis.md, Theorem 10 (score gradients). What a
// query row fixes for all of its pairs is prepared once, in gradient_row.hpp.
#pragma once

#include "core/backward_answer.hpp"
#include "judge/backward_arithmetic.hpp"
#include "judge/budget.hpp"
#include "judge/score_error.hpp"

namespace attest {

// rho of a row's weights, linear in what a pair brings, by cause; and the row's common errors.
struct RowCosts {
  Unbounded weights = Unbounded::no;  // why nothing that the row reaches has a budget
  Unbounded d = Unbounded::no;        // why nothing that D enters has one: dQ and dK
  Coefficients score{};               // r_j
  double exponent = 0;                // e_j = exponent + per_score |s_j| + per_log_pi |s_j - L|
  double per_score = 0;
  double per_log_pi = 0;
  double exp2 = 0;
  double score_limit = 0;            // scores below it in magnitude stay in range
  double lse = 0;                    // error of the stored LSE
  double row_factor = 0;             // e^lse - 1: the factor of the whole row that it makes
  double d_error = 0;                // of D_i - gL_i
  double log_form_below = 0x1p-900;  // weights this light are made from |s_j - L|
  // |s_j - L| is at least log_pi_kept times its bound, less log_pi_excess.
  double log_pi_kept = 1 - 0x1p-40;
  double log_pi_excess = 0;
};

// The causes of rho, apart from the stored LSE.
struct LogErrorShares {
  double scores = 0;
  double exponent = 0;
  double exp2 = 0;
  [[nodiscard]] double sum() const { return scores + exponent + exp2; }
};

[[nodiscard]] LogErrorShares log_error(const RowCosts& row, const Pair& pair, double kappa);

struct WeightError {
  Unbounded unbounded = Unbounded::no;
  double own = 0;     // |p^ - pi| but for the row's common factor
  double of_row = 0;  // what that factor adds
  double p = 0;       // the largest p^
  [[nodiscard]] double all() const { return own + of_row; }
};

// `kappa`: sum_c |k_jc|.
[[nodiscard]] WeightError weight_error(const BackwardArithmetic& arithmetic, const RowCosts& row,
                                       const Pair& pair, double kappa);

// |dP^ - dP| of a pair; `gam_of_dp`: Lemma 4 for its number of products.
[[nodiscard]] double dp_error(const BackwardArithmetic& arithmetic, const Pair& pair,
                              double gam_of_dp);

// Is every partial sum of dO.v sure to be finite?
[[nodiscard]] bool dp_stays_in_range(const Pair& pair, double dp_error);

// Error of dS_ij by cause; their sum is what reaches dK. In dQ `of_lse` and the part pi dD of
// `of_d` are common to a row and act on sums that may cancel.
struct ScoreGradientError {
  Unbounded unbounded = Unbounded::no;
  double magnitude = 0;      // |pi (dP - D)|
  double of_weight = 0;      // the weight's own error
  double of_lse = 0;         // the factor of the stored LSE
  double of_dp = 0;          // the dot product dO.v
  double of_d = 0;           // D
  double of_arithmetic = 0;  // the difference and the product, with what underflows in them
  double of_p_rounding = 0;  // P rounded where dS = P o (dP - D)
  double of_rounding = 0;    // dS in its own format
  double of_underflow = 0;   // the same below its normal range

  [[nodiscard]] double sum() const {
    return of_weight + of_lse + of_dp + of_d + of_arithmetic + of_p_rounding + of_rounding +
           of_underflow;
  }
};

[[nodiscard]] ScoreGradientError score_gradient_error(const BackwardArithmetic& arithmetic,
                                                      const RowCosts& row, const Pair& pair,
                                                      const WeightError& weight, double dp_error);

}  // namespace attest
