// replayed_output.hpp - what a row's replayed weights make of V: the value that O has before its
// store, and how far from it the subject's own may lie.
//
// error-analysis.md, Theorem 21.
#pragma once

#include <vector>

#include "core/head_scores.hpp"
#include "core/tensor.hpp"
#include "judge/budget.hpp"
#include "judge/replay_rules.hpp"
#include "judge/replay_weights.hpp"

namespace attest {

// V of one key head, as numbers and as the unit sees them.
struct ReplayedValues {
  Index d_v = 0;
  std::vector<double> v;      // [n_k, d_v]
  std::vector<double> floor;  // |v|, no smaller than the smallest normal of the format unless 0
};

[[nodiscard]] ReplayedValues replayed_values(const ReplayRules& rules, const ConstTensorView& v,
                                             Index b, Index key_head);

class ReplayedOutput {
 public:
  // Requires: row.known; the arguments outlive this.
  ReplayedOutput(const ReplayRules& rules, const ReplayedValues& values, const RowScores& scores,
                 const ReplayedWeights& row);

  // What is left of the row sum at its smallest; a replay needs it to be well above 0.
  [[nodiscard]] double least_row_sum() const;

  // The value before the store lies within the budget's total of `centre`. `sum_abs_v` is that of
  // the element's moments. Requires: least_row_sum() > 1/4.
  [[nodiscard]] Budget budget(Index k, double sum_abs_v, double& centre) const;

 private:
  struct Parts {
    double unknown = 0;   // of the candidates of P
    double summed = 0;    // of what the row sum adds
    double rescaled = 0;  // of maxima and rescale factors
  };

  void sum_up_tile(std::size_t t);
  [[nodiscard]] Parts parts_at(Index k, double centre) const;
  [[nodiscard]] double spread_of_unknown(const ReplayedTile& tile, Index k, double centre) const;
  [[nodiscard]] double numerator(Index k) const;
  [[nodiscard]] double sum_of_totals() const;
  [[nodiscard]] double least_sum() const;
  [[nodiscard]] bool shares() const;
  [[nodiscard]] const ReplayedWeight& weight_of(Index j) const {
    return row_.weights[static_cast<std::size_t>(j - first_)];
  }
  // Of a tile and a column in sums_ and unknown_.
  [[nodiscard]] std::size_t at(std::size_t t, Index k) const {
    return t * static_cast<std::size_t>(values_.d_v) + static_cast<std::size_t>(k);
  }
  [[nodiscard]] double size_at(Index k) const { return size_[static_cast<std::size_t>(k)]; }

  const ReplayRules& rules_;
  const ReplayedValues& values_;
  Index first_;
  const ReplayedWeights& row_;
  // Per tile and column, in the tile's own frame: sum of P v, and of P's distances |v|.
  std::vector<double> sums_;
  std::vector<double> unknown_;
  std::vector<double> size_;   // per column, in the last frame: sum of P |v| as the unit sees it
  std::vector<Known> totals_;  // per tile: its share of the row sum
  double operations_ = 0;
  double roundings_ = 0;     // of binary64, relative to sums of magnitudes
  double rescale_lost_ = 0;  // by underflowing rescale factors, over weights
  double row_sum_lost_ = 0;  // likewise of the row sum, and its own operations
  double gam_pv_ = 0;
  double gam_l_ = 0;
};

}  // namespace attest
