// rounded_sums.hpp - sums of products with rows of inputs in binary64, with radii: what
// product_sums.hpp does in multiprecision.
#pragma once

#include <cmath>
#include <vector>

#include "core/enclosure.hpp"
#include "oracle/upward.hpp"

namespace attest {

// error-analysis.md, Theorem 8.
class RoundedSums {
 public:
  // wide: y may be any binary64.
  RoundedSums(std::size_t rows, std::size_t columns, bool wide)
      : columns_(columns),
        wide_(wide),
        terms_(rows),
        value_(rows * columns),
        radius_(rows * columns) {}

  // Adds x y_c to column c of the row. `cost` pays, for each |y_c|, for x's own error and for every
  // rounding from here on; it is 0 for an x that is exactly 0.
  void add(std::size_t row, double x, double cost, const double* __restrict y) {
    if (cost == 0) return;
    ++terms_[row];
    double* __restrict value = value_.data() + row * columns_;
    double* __restrict radius = radius_.data() + row * columns_;
    for (std::size_t c = 0; c < columns_; ++c) {
      value[c] += x * y[c];
      radius[c] += cost * std::fabs(y[c]);
    }
  }

  // The sum times an exact factor > 0.
  [[nodiscard]] Enclosure enclose_sum(std::size_t row, std::size_t column, double factor) const {
    const std::size_t e = row * columns_ + column;
    const Index terms = terms_[row];
    if (terms == 0 || (radius_[e] == 0 && !wide_)) return {};
    const double radius = product_up(inflate(radius_[e], terms + 1, 2 * terms), factor);
    const double value = value_[e] * factor;
    const double lo = std::nextafter(value - radius, -kInfinity);
    const double hi = std::nextafter(value + radius, kInfinity);
    return lo <= hi ? Enclosure{lo, hi} : Enclosure{-kInfinity, kInfinity};
  }

 private:
  std::size_t columns_;
  bool wide_;
  std::vector<Index> terms_;  // per row
  std::vector<double> value_;
  std::vector<double> radius_;
};

}  // namespace attest
