// score_gradients.hpp - dP_ij, D_i and dS_ij = P_ij (dP_ij - D_i) of one row in multiprecision,
// each with a proved error. D_i stands for sum_k dO_ik O_ik - gL_i, in whichever form is asked for.
#pragma once

#include <algorithm>
#include <vector>

#include "oracle/gradient_classes.hpp"
#include "oracle/probabilities.hpp"

namespace attest {

// value is within `error` of what it stands for.
template <unsigned Digits>
struct Approximation {
  Real<Digits> value;
  double error = 0;

  [[nodiscard]] double magnitude() const { return std::fabs(to_double(value, MPFR_RNDA)); }
  [[nodiscard]] double bound() const { return sum_up(magnitude(), error); }
  // Pays for the last operation on `value`, of which MPFR reported `ternary`.
  void pay_rounding(int ternary) {
    if (ternary != 0) error = sum_up(error, product_up(gamma<Digits>(1), magnitude()));
  }
};

template <unsigned Digits>
using Approximations = std::vector<Approximation<Digits>>;

// sum_k x_k y_k of inputs, as Theorem 1 has it for scores. `sizes` is at least sum_k |x_k y_k|.
template <unsigned Digits>
[[nodiscard]] Approximation<Digits> dot_of_inputs(const double* x, const double* y, Index columns,
                                                  bool wide, double size) {
  Approximation<Digits> dot;
  if (!dot_product(x, y, columns, wide, dot.value)) {
    dot.error = product_up(gamma<Digits>(columns), size);
  }
  return dot;
}

// dP_ij of the pairs, whose g is filled.
template <unsigned Digits>
[[nodiscard]] Approximations<Digits> value_products(const GradientHead& head,
                                                    const GradientQuery& row,
                                                    const std::vector<Pair>& pairs) {
  Approximations<Digits> dp;
  dp.reserve(pairs.size());
  const bool wide = head.keys.format == Format::f64;
  for (const Pair& pair : pairs) {
    dp.push_back(dot_of_inputs<Digits>(row.dout.data(), head.keys.v_row(pair.j), head.keys.d_v,
                                       wide, pair.g));
  }
  return dp;
}

// sum_j P_j dP_j: error-analysis.md, Lemma 10.
template <unsigned Digits>
[[nodiscard]] Approximation<Digits> mean_of(const Probabilities<Digits>& probabilities,
                                            const Approximations<Digits>& dp) {
  Approximation<Digits> mean;
  Real<Digits> product;
  double size = 0;
  for (std::size_t n = 0; n < dp.size(); ++n) {
    mpfr_mul(raw(product), raw(probabilities.p[n]), raw(dp[n].value), MPFR_RNDN);
    mpfr_add(raw(mean.value), raw(mean.value), raw(product), MPFR_RNDN);
    const double bound = dp[n].bound();
    size = sum_up(size, product_up(probabilities.bound[n], bound));
    mean.error = sum_up(mean.error, product_up(probabilities.bound[n], dp[n].error));
    mean.error = sum_up(mean.error, product_up(probabilities.error[n], bound));
  }
  const auto terms = static_cast<Index>(dp.size());
  mean.error = sum_up(mean.error, product_up(gamma<Digits>(terms + 1), size));
  return mean;
}

// Are all dP_j one exact number? Then it is their mean, whatever the weights.
template <unsigned Digits>
[[nodiscard]] bool all_equal(const Approximations<Digits>& dp) {
  return std::ranges::all_of(dp, [&](const Approximation<Digits>& x) {
    return x.error == 0 && mpfr_equal_p(raw(x.value), raw(dp.front().value)) != 0;
  });
}

// D_i - gL_i of core/backward_answer.hpp. Requires: at least one pair.
template <unsigned Digits>
[[nodiscard]] Approximation<Digits> row_mean(const HeadTask& task, const GradientQuery& row,
                                             const Probabilities<Digits>& probabilities,
                                             const Approximations<Digits>& dp) {
  Approximation<Digits> d;
  if (task.stored && !task.d_from_p) {
    const Problem& p = task.problem;
    const bool wide = p.in == Format::f64 || p.out == Format::f64;
    d = dot_of_inputs<Digits>(row.dout.data(), row.o.data(), p.d_v, wide,
                              sum_abs_products(row.dout, row.o));
  } else {
    d = !task.stored && all_equal(dp) ? dp.front() : mean_of(probabilities, dp);
  }
  Widener<Digits> widen;
  d.pay_rounding(mpfr_sub(raw(d.value), raw(d.value), widen(row.glse), MPFR_RNDN));
  return d;
}

// dS_j of the pairs, and their abs_dp and abs_dp_less_d.
template <unsigned Digits>
[[nodiscard]] Approximations<Digits> score_gradients(const Probabilities<Digits>& probabilities,
                                                     const Approximations<Digits>& dp,
                                                     const Approximation<Digits>& d,
                                                     std::vector<Pair>& pairs) {
  Approximations<Digits> ds(pairs.size());
  Approximation<Digits> x;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    x.error = sum_up(dp[n].error, d.error);
    x.pay_rounding(mpfr_sub(raw(x.value), raw(dp[n].value), raw(d.value), MPFR_RNDN));
    pairs[n].abs_dp = dp[n].bound();
    pairs[n].abs_dp_less_d = x.bound();
    ds[n].error = sum_up(product_up(probabilities.bound[n], x.error),
                         product_up(probabilities.error[n], x.bound()));
    ds[n].pay_rounding(
        mpfr_mul(raw(ds[n].value), raw(probabilities.p[n]), raw(x.value), MPFR_RNDN));
    ds[n].error = lasting(ds[n].error);
  }
  return ds;
}

}  // namespace attest
