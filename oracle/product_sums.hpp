// product_sums.hpp - sums of products with rows of inputs, in multiprecision: what every gradient
// is. One row of a gradient at a time meets one factor and one row of Q, K or dO.
#pragma once

#include <vector>

#include "oracle/score_gradients.hpp"

namespace attest {

// error-analysis.md, Theorem 7: beside what its factors bring with them, a sum of n products errs
// by at most gamma_(n + 2) times the sum of their magnitudes, and not at all where MPFR reports
// every step exact.
template <unsigned Digits>
class ProductSums {
 public:
  // wide: y may be any binary64.
  ProductSums(std::size_t rows, std::size_t columns, bool wide)
      : columns_(columns),
        wide_(wide),
        terms_(rows),
        value_(rows * columns),
        error_(rows * columns),
        size_(rows * columns),
        rounded_(rows * columns) {}

  // Adds x y_c to column c of the row.
  void add(std::size_t row, const Approximation<Digits>& x, const double* y) {
    if (x.error == 0 && mpfr_zero_p(raw(x.value)) != 0) return;
    ++terms_[row];
    const double size = lasting(x.magnitude());
    const std::size_t first = row * columns_;
    for (std::size_t c = 0; c < columns_; ++c) {
      const double magnitude = std::fabs(y[c]);
      error_[first + c] += x.error * magnitude;
      size_[first + c] += size * magnitude;
    }
    for (std::size_t c = 0; c < columns_; ++c) {
      if (y[c] == 0) continue;
      int ternary = mpfr_mul(raw(product_), raw(x.value), widen_(y[c]), MPFR_RNDN);
      Real<Digits>& sum = value_[first + c];
      ternary |= mpfr_add(raw(sum), raw(sum), raw(product_), MPFR_RNDN);
      rounded_[first + c] |= static_cast<unsigned char>(ternary != 0);
    }
  }

  // The sum times an exact factor > 0.
  [[nodiscard]] Approximation<Digits> sum(std::size_t row, std::size_t column, double factor) {
    const std::size_t e = row * columns_ + column;
    const Index terms = terms_[row];
    Approximation<Digits> result;
    if (terms == 0) return result;
    const Index underflows = wide_ ? terms : 0;
    result.error = inflate(error_[e], terms + 1, underflows);
    const int ternary = mpfr_mul(raw(result.value), raw(value_[e]), widen_(factor), MPFR_RNDN);
    if (rounded_[e] != 0 || ternary != 0) {
      const double size = inflate(size_[e], terms + 1, underflows);
      result.error = sum_up(result.error, product_up(gamma<Digits>(terms + 2), size));
    }
    result.error = product_up(result.error, factor);
    return result;
  }

  [[nodiscard]] Enclosure enclose_sum(std::size_t row, std::size_t column, double factor) {
    const Approximation<Digits> result = sum(row, column, factor);
    return enclose(result.value, result.error);
  }

 private:
  std::size_t columns_;
  bool wide_;
  std::vector<Index> terms_;  // per row
  std::vector<Real<Digits>> value_;
  std::vector<double> error_;  // sum of |error of x| |y|
  std::vector<double> size_;   // sum of |x y|
  std::vector<unsigned char> rounded_;
  Widener<Digits> widen_;
  Real<Digits> product_;
};

}  // namespace attest
