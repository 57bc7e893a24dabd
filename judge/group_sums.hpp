// group_sums.hpp - what the budgets of one key head's gradients are made of, from the pairs of its
// rows: error-analysis.md, Theorem 11 to error-analysis.md, Theorem 14.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/gradient_case.hpp"
#include "judge/judgement.hpp"

namespace attest {

// Rows come in the order of heads and rows; a row's dQ has a budget once it has been added, dK and
// dV once all rows of the group have been.
class GroupSums {
 public:
  explicit GroupSums(const GradientCase& gradients) : g_(gradients), p_(gradients.problem()) {}

  void begin(Index b, Index key_head);
  void begin_head(Index h);
  // One row's pairs, as the answer gives them.
  void add_row(Index h, Index i, std::span<const Pair> pairs);

  // Of the row that was added last; `exact` is the element's magnitude.
  [[nodiscard]] Budget budget_of_dq(Index h, Index i, Index c, double exact) const;
  // Of dK or dV.
  [[nodiscard]] Budget budget_of_key(OutputTensor tensor, Index j, Index c, double exact) const;

 private:
  struct RowSum {
    double gam = 0;
    double size = 0;  // bound of any sum of magnitudes
  };

  [[nodiscard]] bool per_head() const { return g_.arithmetic().chain_per_head; }
  Unbounded add_pair(Index h, Index i, const Pair& pair);

  const GradientCase& g_;
  const Problem& p_;
  Index b_ = 0;
  Index key_head_ = 0;
  std::optional<KeySums> dk_;
  std::optional<KeySums> dv_;
  std::vector<double> gams_;  // of each key's chain
  std::vector<double> dq_;    // of the last row
  RowSum row_;
  Unbounded why_ = Unbounded::no;
};

}  // namespace attest
