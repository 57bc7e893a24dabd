// gradient_budget.hpp - from the errors of pairs to budgets of dQ, dK and dV.
//
// error-analysis.md, Theorem 11 (dQ), error-analysis.md, Theorem 12 (dV), error-analysis.md,
// Theorem 13 (dK) and error-analysis.md, Theorem 14 (heads that are stored before they are added).
// Sums are upward: error-analysis.md, Lemma 15.
#pragma once

#include <vector>

#include "core/problem.hpp"
#include "judge/backward_arithmetic.hpp"
#include "judge/budget.hpp"
#include "judge/magnitudes.hpp"
#include "judge/pair_error.hpp"

namespace attest {

// A value of a pair that enters a dot product: how far it is off, and how large a unit may see it.
struct OperandError {
  double error = 0;
  double size = 0;
};

// The errors of one pair as the three products meet them.
struct PairOperands {
  OperandError in_dq;         // of dS, but for what a row has in common
  OperandError in_dk;         // of dS
  OperandError in_dv;         // of P
  double score_gradient = 0;  // |dS|, exact
  double weight = 0;          // |P|, exact
};

[[nodiscard]] PairOperands pair_operands(const BackwardArithmetic& arithmetic, const RowCosts& row,
                                         const Pair& pair, const WeightError& weight,
                                         const ScoreGradientError& score_gradient);

// Adds (error + gam size) |x| to `sums`, |x| as the unit sees it where it matters.
void add_product(double* sums, Index columns, const OperandError& operand, double gam,
                 const Magnitudes& x);

// The factor of Lemma 15 for sums over `pairs` pairs.
[[nodiscard]] double upward(Index pairs);

// What a sum of products becomes on its way to the output: `summed` is what its terms and their
// accumulation are off, without the scale; `exact` the output's magnitude.
struct Finish {
  double sigma = 1;       // the scale, of dQ and dK
  bool scaled = false;    // one product with it comes after the sum
  double operations = 0;  // that may underflow, in the sum
  Index heads = 1;        // of the group
  Index live_heads = 1;   // with a pair for this key
  bool per_head = false;
  double heads_sum = 0;  // per_head: sum over heads of |x_h|
};

struct FinishedBudget {
  Unbounded unbounded = Unbounded::no;
  double underflow = 0;  // of the sum's operations
  double scale = 0;      // the product with the scale
  double group = 0;      // rounding of each head, and their sum
  double output = 0;
  double total = 0;
};

[[nodiscard]] FinishedBudget finish(const BackwardArithmetic& arithmetic, const Finish& how,
                                    double summed, double exact);

// One of dK and dV of one key head, over all pairs that reach it.
class KeySums {
 public:
  KeySums(Index keys, Index columns, bool with_sizes)
      : columns_(columns), keys_(static_cast<std::size_t>(keys)) {
    errors_.resize(keys_.size() * static_cast<std::size_t>(columns));
    if (with_sizes) sizes_.resize(errors_.size());
  }

  struct Key {
    Unbounded unbounded = Unbounded::no;
    double size = 0;  // bound of any sum of magnitudes
    Index pairs = 0;
    Index live_heads = 0;
    Index last_head = -1;
  };

  void raise(Index j, Unbounded why);
  // `exact`: the pair's factor of x, of which the output is the sum.
  void add(Index j, Index head, const OperandError& operand, double exact, double gam,
           const Magnitudes& x);

  [[nodiscard]] const Key& key(Index j) const { return keys_[static_cast<std::size_t>(j)]; }
  [[nodiscard]] double error(Index j, Index c) const { return errors_[at(j, c)]; }
  [[nodiscard]] double size(Index j, Index c) const {
    return sizes_.empty() ? 0 : sizes_[at(j, c)];
  }

 private:
  [[nodiscard]] std::size_t at(Index j, Index c) const {
    return static_cast<std::size_t>(j * columns_ + c);
  }

  Index columns_;
  std::vector<Key> keys_;
  std::vector<double> errors_;
  std::vector<double> sizes_;  // sum of exact |factor| |x|
};

}  // namespace attest
