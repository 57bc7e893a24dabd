// score_row.hpp - the scores of one row in multiprecision, each with a proved error.
#pragma once

#include <optional>
#include <vector>

#include "oracle/real.hpp"
#include "oracle/row_numbers.hpp"

namespace attest {

template <unsigned Digits>
struct ScoreRow {
  std::vector<Real<Digits>> s;
  std::vector<double> radius;  // |s[n] - exact score| is at most this
  std::size_t argmax = 0;      // the first of the largest s
};

// sum_c q_c k_c by binary64 alone, where no addition rounds: nearly always for inputs of 16 bits.
// Knuth's two-sum gives each rounding error exactly. Requires: exact products.
[[nodiscard]] inline std::optional<double> unrounded_dot(const double* q, const double* k,
                                                         Index d_qk) {
  double sum = 0;
  bool rounded = false;
  for (Index d = 0; d < d_qk; ++d) {
    const double product = q[d] * k[d];
    const double next = sum + product;
    const double part = next - sum;
    rounded |= (sum - (next - part)) + (product - part) != 0;
    sum = next;
  }
  return rounded ? std::nullopt : std::optional(sum);
}

// Writes sum_c q_c k_c to `dot` and says whether every step was exact.
//
// Products of inputs of up to 32 bits have at most 48 bits and exponents far inside binary64, so
// binary64 holds them exactly; the working precision holds products of two binary64.
template <unsigned Digits>
[[nodiscard]] bool dot_product(const double* q, const double* k, Index d_qk, bool wide_inputs,
                               Real<Digits>& dot) {
  Widener<Digits> widen;
  Real<Digits> product;
  bool exact = true;
  if (!wide_inputs) {
    if (const auto sum = unrounded_dot(q, k, d_qk)) {
      mpfr_set_d(raw(dot), *sum, MPFR_RNDN);
      return true;
    }
  }
  mpfr_set_zero(raw(dot), 1);
  for (Index d = 0; d < d_qk; ++d) {
    if (wide_inputs) {
      mpfr_set_d(raw(product), q[d], MPFR_RNDN);
      mpfr_mul(raw(product), raw(product), widen(k[d]), MPFR_RNDN);
      exact = mpfr_add(raw(dot), raw(dot), raw(product), MPFR_RNDN) == 0 && exact;
    } else {
      exact = mpfr_add(raw(dot), raw(dot), widen(q[d] * k[d]), MPFR_RNDN) == 0 && exact;
    }
  }
  return exact;
}

// error-analysis.md, Theorem 1: with exact products, d - 1 rounded additions (the first adds to
// zero) and one rounded product with the scale, |s^ - s| <= gamma_d scale sum |q_c k_c|; and s^ = s
// where MPFR reports every step exact.
template <unsigned Digits>
[[nodiscard]] ScoreRow<Digits> score_row(const RowTask& task) {
  static_assert(Digits >= 40, "a product of two binary64 has 106 bits and must be exact");
  const KeyHead& head = task.head;
  ScoreRow<Digits> row;
  row.s.resize(task.keys.size());
  row.radius.resize(task.keys.size());
  Widener<Digits> widen;
  mpfr_srcptr scale = widen(task.scale);
  const double relative = product_up(gamma<Digits>(head.d_qk), task.scale);
  for (std::size_t n = 0; n < task.keys.size(); ++n) {
    Real<Digits>& s = row.s[n];
    bool exact = dot_product(task.query.q.data(), head.k_row(task.keys[n]), head.d_qk,
                             head.format == Format::f64, s);
    exact = mpfr_mul(raw(s), raw(s), scale, MPFR_RNDN) == 0 && exact;
    if (!exact) row.radius[n] = product_up(relative, task.abs_dot[n]);
    if (mpfr_greater_p(raw(s), raw(row.s[row.argmax])) != 0) row.argmax = n;
  }
  return row;
}

}  // namespace attest
