// gradient_case.hpp - one case, view and declaration, prepared for its budgets of gradients: inputs
// as magnitudes, constants by number of products, and what each query row fixes.
#pragma once

#include <span>
#include <vector>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "core/case.hpp"
#include "judge/gradient_budget.hpp"
#include "judge/gradient_row.hpp"
#include "judge/judge_backward.hpp"
#include "judge/least_pairs.hpp"

namespace attest {

class GradientCase {
 public:
  // The arguments outlive it. `bounds`: what is taken of a loose answer, and of a loose forward.
  GradientCase(const Problem& problem, const Inputs& inputs, const Answer& forward,
               const BackwardAnswer& exact, View view, const BackwardArithmetic& arithmetic,
               Bounds bounds = Bounds::upper);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const BackwardArithmetic& arithmetic() const { return arithmetic_; }
  // All but its pairs.
  [[nodiscard]] const BackwardRow& row(Index b, Index h, Index i) const {
    const std::size_t row = row_index(problem_, b, h, i);
    return least_rows_.empty() ? exact_.rows[row] : least_rows_[row];
  }
  // The row's pairs from above, in `room` if they have to be made.
  [[nodiscard]] std::span<const Pair> pairs(Index b, Index h, Index i,
                                            std::vector<Pair>& room) const {
    return exact_.pairs_of(row_index(problem_, b, h, i), room);
  }
  [[nodiscard]] Pair pair(Index b, Index h, Index i, Index j) const {
    return exact_.pair_of(row_index(problem_, b, h, i), j);
  }
  // A pair of that row as these bounds take it.
  [[nodiscard]] Pair taken(const Pair& pair, Index b, Index h, Index i) const {
    return least_rows_.empty() ? pair : least_of(pair, row(b, h, i));
  }
  [[nodiscard]] const RowCosts& costs(Index b, Index h, Index i) const {
    return costs_[row_index(problem_, b, h, i)];
  }

  struct PairErrors {
    WeightError weight;
    ScoreGradientError score_gradient;
  };
  [[nodiscard]] PairErrors errors_of(const Pair& pair, const RowCosts& costs, Index b,
                                     Index key_head) const;
  [[nodiscard]] double kappa(Index b, Index key_head, Index j) const {
    return k_.sum(b, key_head, j);
  }

  [[nodiscard]] Magnitudes q(Index b, Index h, Index i) const { return q_.row(b, h, i); }
  [[nodiscard]] Magnitudes k(Index b, Index h, Index j) const { return k_.row(b, h, j); }
  [[nodiscard]] Magnitudes dout(Index b, Index h, Index i) const { return dout_.row(b, h, i); }
  [[nodiscard]] Index key_head_of(Index h) const { return h * problem_.heads_k / problem_.heads_q; }
  [[nodiscard]] Index group() const { return problem_.heads_q / problem_.heads_k; }

  // Of each key: the constant of its chain over its live rows in the heads first ... last - 1.
  [[nodiscard]] std::vector<double> gams_of_keys(Index b, Index first, Index last) const;
  [[nodiscard]] double gam_of_row(const BackwardRow& row) const;

  // How sums of products become outputs.
  [[nodiscard]] Finish finish_dq(const BackwardRow& row) const;
  [[nodiscard]] Finish finish_dk(const KeySums& sums, Index j, Index c) const;
  [[nodiscard]] Finish finish_dv(const KeySums& sums, Index j, Index c) const;
  // |dQ^ - dQ| by what a row has in common, without the scale: D and the stored LSE.
  [[nodiscard]] double shared_d(const BackwardRow& row, const RowCosts& costs, Index c) const {
    return costs.d_error * row.mean_key[static_cast<std::size_t>(c)];
  }
  [[nodiscard]] double shared_lse(const RowCosts& costs, double exact) const {
    return costs.row_factor * exact / static_cast<double>(problem_.scale);
  }

 private:
  [[nodiscard]] RowCosts costs_of_row(Index b, Index h, Index i, bool stage_wise) const;

  const Problem& problem_;
  const Answer& forward_;
  const BackwardAnswer& exact_;
  const BackwardArithmetic& arithmetic_;
  OperandMagnitudes q_;
  OperandMagnitudes k_;
  OperandMagnitudes dout_;
  std::vector<double> gam_of_dp_;  // by number of non-zero products
  Bounds bounds_;
  std::vector<BackwardRow> least_rows_;  // empty where upper bounds are taken
  std::vector<RowCosts> costs_;          // of every row that has pairs
};

}  // namespace attest
