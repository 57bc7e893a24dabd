// replayed_sums.hpp - sums of products of which one operand is a stored value known to a set, the
// other an input.
//
// error-analysis.md, Lemma 40.
#pragma once

#include <span>
#include <vector>

#include "core/tensor.hpp"
#include "judge/range32.hpp"
#include "judge/rounded_set.hpp"

namespace attest {

// The rows of one head of an input, widened.
class OperandRows {
 public:
  // A unit sees nothing below `floor` but zeros (Lemma 4).
  OperandRows(ConstTensorView tensor, Index b, Index h, double floor);

  struct Row {
    const double* x;
    const double* seen;  // |x| as large as a unit may see it
  };
  [[nodiscard]] Row row(Index n) const {
    const auto at = static_cast<std::size_t>(n * columns_);
    return {x_.data() + at, seen_.data() + at};
  }
  [[nodiscard]] std::span<const double> span(Index n) const {
    return {row(n).x, static_cast<std::size_t>(columns_)};
  }
  [[nodiscard]] std::span<const double> all() const { return x_; }

 private:
  Index columns_;
  std::vector<double> x_;
  std::vector<double> seen_;
};

class ReplayedSums {
 public:
  ReplayedSums(Index rows, Index columns)
      : columns_(columns),
        rows_(static_cast<std::size_t>(rows)),
        centre_(static_cast<std::size_t>(rows * columns)),
        half_(centre_.size()),
        size_(centre_.size()) {}

  struct Row {
    bool reached = false;  // by a live pair
    bool known = true;     // of every pair
    Index products = 0;    // with an operand that may not be 0
    Index tiles = 0;       // that hold one
    Index last_tile = -1;
  };

  void clear();
  void lose(Index row) { rows_[static_cast<std::size_t>(row)].known = false; }
  // Adds `stored` times x. `floor` as for OperandRows; tiles come in order.
  void add(Index row, Index tile, const RoundedSet& stored, double floor,
           const OperandRows::Row& x);
  // Adds one value to one element, a term of a sum in binary32.
  void add_value(Index row, Index column, const RoundedSet& value);
  void count_term(Index row) { ++rows_[static_cast<std::size_t>(row)].products; }

  [[nodiscard]] Row& row(Index n) { return rows_[static_cast<std::size_t>(n)]; }
  // The computed sum: within `gam` of its magnitudes and `eta` an operation of the exact one.
  [[nodiscard]] Range32 sum(Index row, Index column, double gam, double eta) const;

 private:
  Index columns_;
  std::vector<Row> rows_;
  std::vector<double> centre_;
  std::vector<double> half_;  // of what stored operands leave open
  std::vector<double> size_;
};

}  // namespace attest
