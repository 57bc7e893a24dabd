// other_routes.hpp - O of one head by routes without blocks: what the oracle's price is compared
// with.
//
// Each returns the sum of all outputs, so that nothing is left out.
#pragma once

#include <arb.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <vector>

#include "core/case.hpp"
#include "oracle/real.hpp"

namespace attest {

// What most would write first: softmax over loops of 50 digits.
inline double by_loops_of_50_digits(const Problem& p, const Inputs& inputs) {
  using Number = boost::multiprecision::cpp_bin_float_50;
  const ConstTensorView q = inputs.q.view();
  const ConstTensorView k = inputs.k.view();
  const ConstTensorView v = inputs.v.view();
  std::vector<Number> s(static_cast<std::size_t>(p.n_k));
  std::vector<Number> o(static_cast<std::size_t>(p.d_v));
  double check = 0;
  for (Index i = 0; i < p.n_q; ++i) {
    Number m = -1e300;
    for (Index j = 0; j < p.n_k; ++j) {
      Number dot = 0;
      for (Index c = 0; c < p.d_qk; ++c) dot += Number(q.value(0, 0, i, c)) * k.value(0, 0, j, c);
      s[j] = dot * static_cast<double>(p.scale);
      if (s[j] > m) m = s[j];
    }
    Number l = 0;
    std::fill(o.begin(), o.end(), Number(0));
    for (Index j = 0; j < p.n_k; ++j) {
      const Number w = exp(s[j] - m);
      l += w;
      for (Index c = 0; c < p.d_v; ++c) o[c] += w * v.value(0, 0, j, c);
    }
    for (Number& x : o) check += static_cast<double>(x / l);
  }
  return check;
}

// The same by MPFR's own functions at the first rung's precision: no temporaries, and no proof.
inline double by_loops_of_mpfr(const Problem& p, const Inputs& inputs) {
  using Number = Real<50>;
  const ConstTensorView q = inputs.q.view();
  const ConstTensorView k = inputs.k.view();
  const ConstTensorView v = inputs.v.view();
  std::vector<Number> s(static_cast<std::size_t>(p.n_k));
  std::vector<Number> o(static_cast<std::size_t>(p.d_v));
  Number product;
  double check = 0;
  for (Index i = 0; i < p.n_q; ++i) {
    Number m = -1e300;
    for (Index j = 0; j < p.n_k; ++j) {
      mpfr_set_zero(raw(s[j]), 1);
      for (Index c = 0; c < p.d_qk; ++c) {
        mpfr_set_d(raw(product), q.value(0, 0, i, c), MPFR_RNDN);
        mpfr_mul_d(raw(product), raw(product), k.value(0, 0, j, c), MPFR_RNDN);
        mpfr_add(raw(s[j]), raw(s[j]), raw(product), MPFR_RNDN);
      }
      mpfr_mul_d(raw(s[j]), raw(s[j]), static_cast<double>(p.scale), MPFR_RNDN);
      if (mpfr_greater_p(raw(s[j]), raw(m)) != 0) m = s[j];
    }
    Number l = 0;
    for (Number& x : o) mpfr_set_zero(raw(x), 1);
    for (Index j = 0; j < p.n_k; ++j) {
      mpfr_sub(raw(s[j]), raw(s[j]), raw(m), MPFR_RNDN);
      mpfr_exp(raw(s[j]), raw(s[j]), MPFR_RNDN);
      mpfr_add(raw(l), raw(l), raw(s[j]), MPFR_RNDN);
      for (Index c = 0; c < p.d_v; ++c) {
        mpfr_mul_d(raw(product), raw(s[j]), v.value(0, 0, j, c), MPFR_RNDN);
        mpfr_add(raw(o[c]), raw(o[c]), raw(product), MPFR_RNDN);
      }
    }
    for (Number& x : o) {
      mpfr_div(raw(x), raw(x), raw(l), MPFR_RNDN);
      check += mpfr_get_d(raw(x), MPFR_RNDN);
    }
  }
  return check;
}

// A tensor's rows as Arb's balls.
class Balls {
 public:
  explicit Balls(const Tensor& x) : Balls(x.size()) {
    const ConstTensorView view = x.view();
    arb_ptr next = first_;
    for (Index row = 0; row < view.extents[2]; ++row) {
      for (Index column = 0; column < view.extents[3]; ++column, ++next) {
        arb_set_d(next, view.value(0, 0, row, column));
      }
    }
  }
  explicit Balls(Index size) : size_(size), first_(_arb_vec_init(size)) {}
  Balls(const Balls&) = delete;
  Balls& operator=(const Balls&) = delete;
  ~Balls() { _arb_vec_clear(first_, size_); }

  [[nodiscard]] arb_ptr at(Index n) const { return first_ + n; }

 private:
  Index size_;
  arb_ptr first_;
};

// The library that people reach for when an error must be proved: every number a ball, dot products
// by its own function.
inline double by_arb(const Problem& p, const Inputs& inputs) {
  constexpr slong kBits = 168;
  const Balls q(inputs.q);
  const Balls k(inputs.k);
  const Balls v(inputs.v);
  const Balls w(p.n_k);
  const Balls scratch(4);  // scale, maximum, row sum, output
  arb_ptr scale = scratch.at(0);
  arb_ptr m = scratch.at(1);
  arb_ptr l = scratch.at(2);
  arb_ptr o = scratch.at(3);
  arb_set_d(scale, p.scale);
  double check = 0;
  for (Index i = 0; i < p.n_q; ++i) {
    for (Index j = 0; j < p.n_k; ++j) {
      arb_dot(w.at(j), nullptr, 0, q.at(i * p.d_qk), 1, k.at(j * p.d_qk), 1, p.d_qk, kBits);
      arb_mul(w.at(j), w.at(j), scale, kBits);
      if (j == 0 || arb_gt(w.at(j), m)) arb_set(m, w.at(j));
    }
    arb_zero(l);
    for (Index j = 0; j < p.n_k; ++j) {
      arb_sub(w.at(j), w.at(j), m, kBits);
      arb_exp(w.at(j), w.at(j), kBits);
      arb_add(l, l, w.at(j), kBits);
    }
    for (Index c = 0; c < p.d_v; ++c) {
      arb_dot(o, nullptr, 0, w.at(0), 1, v.at(c), p.d_v, p.n_k, kBits);
      arb_div(o, o, l, kBits);
      check += arf_get_d(arb_midref(o), ARF_RND_NEAR);
    }
  }
  return check;
}

}  // namespace attest
