// doubled_sums.hpp - sums of products that keep the rounding error of every operation, by lanes.
//
// A sum is carried as (sum, rest): each addition to `sum` leaves its exact error, and all errors
// are added up in `rest` (Ogita, Rump and Oishi). sum + rest is off by u^2 times the magnitudes,
// not by u: error-analysis.md, Lemma 26.
#pragma once

#include <cmath>
#include <vector>

#include "core/tensor.hpp"
#include "oracle/doubled.hpp"

namespace attest {

// What a sum of n terms may be off by for each unit of the terms' magnitudes: (n + 16)^2 u^2 for
// terms that are exact, twice that for products of a doubled number.
[[nodiscard]] inline double doubled_sum_error(Index terms) {
  const auto n = static_cast<double>(terms + 16);
  return n * n * kUnitSquared * (1 + 0x1p-10);
}

// sum_c x_c y_c in normal form, and whether no addition rounded.
//
// Requires: every product is exact in binary64.
struct DoubledDot {
  Doubled<double> value;
  bool exact = true;
};
[[nodiscard]] DoubledDot dot_in_doubled(const double* x, const double* y, Index columns);

// Rows of such sums, each over columns.
class DoubledSums {
 public:
  DoubledSums(std::size_t rows, std::size_t columns)
      : columns_(columns), sum_(rows * columns), rest_(rows * columns), size_(rows * columns) {}

  // Adds x y_c to column c of the row, and size |y_c| to what is known of its magnitudes.
  //
  // Requires: every y_c has at most 27 bits.
  void add(std::size_t row, const Doubled<double>& x, double size, const double* y);

  [[nodiscard]] Doubled<double> sum(std::size_t row, std::size_t column) const {
    const std::size_t at = row * columns_ + column;
    return two_sum(sum_[at], rest_[at]);
  }
  // sum of size |y_c|, as computed: one product and one addition a term.
  [[nodiscard]] double size(std::size_t row, std::size_t column) const {
    return size_[row * columns_ + column];
  }

 private:
  std::size_t columns_;
  std::vector<double> sum_;
  std::vector<double> rest_;
  std::vector<double> size_;
};

// Writes e^z[n] for -640 <= z[n] <= 0.
void exp_of_each(const std::vector<Doubled<double>>& z, std::vector<Doubled<double>>& w);

}  // namespace attest
