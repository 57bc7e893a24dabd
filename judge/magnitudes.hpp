// magnitudes.hpp - |x| of every element of an input, as budgets of gradients multiply by it.
#pragma once

#include <vector>

#include "core/problem.hpp"
#include "judge/arithmetic.hpp"

namespace attest {

// One row of an operand.
struct Magnitudes {
  const double* plain = nullptr;  // |x|
  const double* seen = nullptr;   // as large as a unit may see x (Lemma 4); may be `plain`
  const double* off = nullptr;    // how far the operand may lie from x; nothing: it is x
  double largest = 0;             // of `seen`
};

class OperandMagnitudes {
 public:
  // What a unit sees of an input that it takes as it is; nothing below `floor` but zeros.
  OperandMagnitudes(ConstTensorView tensor, double floor);

  // Q, which dK may meet as fl(scale q) in the format of scale_at. In units of q: the scale comes
  // last in every bound.
  static OperandMagnitudes of_queries(ConstTensorView q, const Problem& problem,
                                      const Resolved& arithmetic, double floor);

  [[nodiscard]] Magnitudes row(Index b, Index h, Index row) const;
  // sum over columns of |x|, by row.
  [[nodiscard]] double sum(Index b, Index h, Index row) const { return sums_[at(b, h, row)]; }
  [[nodiscard]] const double* sums(Index b, Index h) const { return sums_.data() + at(b, h, 0); }

 private:
  [[nodiscard]] std::size_t at(Index b, Index h, Index row) const {
    return static_cast<std::size_t>((b * extents_[1] + h) * extents_[2] + row);
  }

  Extents extents_{};
  std::vector<double> plain_;
  std::vector<double> seen_;  // empty: the same
  std::vector<double> off_;   // empty: zero
  std::vector<double> sums_;
  std::vector<double> largest_;
};

}  // namespace attest
