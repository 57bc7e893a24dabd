// ball.hpp - Arb's balls with operators, at one precision that is far beyond what any test needs.
//
// Every operation encloses the exact result; ends come out rounded outward.
#pragma once

#include <arb.h>
#include <mpfr.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/enclosure.hpp"

namespace attest {

class Ball {
 public:
  static constexpr slong kBits = 1024;

  Ball() { arb_init(x_); }
  explicit Ball(double value) : Ball() { arb_set_d(x_, value); }
  [[nodiscard]] static Ball of(mpfr_srcptr value) {
    Ball result;
    arf_set_mpfr(arb_midref(result.x_), value);
    return result;
  }
  Ball(const Ball& other) : Ball() { arb_set(x_, other.x_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(x_, other.x_); }
  Ball& operator=(const Ball& other) {
    arb_set(x_, other.x_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(x_, other.x_);
    return *this;
  }
  ~Ball() { arb_clear(x_); }

  friend Ball operator+(const Ball& a, const Ball& b) { return binary(arb_add, a, b); }
  friend Ball operator-(const Ball& a, const Ball& b) { return binary(arb_sub, a, b); }
  friend Ball operator*(const Ball& a, const Ball& b) { return binary(arb_mul, a, b); }
  friend Ball operator/(const Ball& a, const Ball& b) { return binary(arb_div, a, b); }
  Ball& operator+=(const Ball& b) { return *this = *this + b; }

  friend Ball exp(const Ball& a) { return unary(arb_exp, a); }
  friend Ball log(const Ball& a) { return unary(arb_log, a); }
  friend Ball abs(const Ball& a) {
    Ball result;
    arb_abs(result.x_, a.x_);
    return result;
  }
  friend Ball max(const Ball& a, const Ball& b) { return binary(arb_max, a, b); }

  // Certain comparisons: true for every pair of points.
  friend bool operator<=(const Ball& a, const Ball& b) { return arb_le(a.x_, b.x_) != 0; }
  friend bool operator<(const Ball& a, const Ball& b) { return arb_lt(a.x_, b.x_) != 0; }
  // A ball about an end of an enclosure may stick out of it: what counts is that it does not lie
  // outside as a whole. At this precision that is all but containment.
  friend bool is_outside(const Ball& a, Enclosure e) { return a < Ball(e.lo) || Ball(e.hi) < a; }

  [[nodiscard]] Enclosure ends() const {
    arf_t lo;
    arf_t hi;
    arf_init(lo);
    arf_init(hi);
    arb_get_interval_arf(lo, hi, x_, kBits);
    const Enclosure result{arf_get_d(lo, ARF_RND_FLOOR), arf_get_d(hi, ARF_RND_CEIL)};
    arf_clear(lo);
    arf_clear(hi);
    return result;
  }

  // sum x_n y_n by arb_dot.
  friend Ball dot(std::span<const Ball> x, std::span<const Ball> y) {
    static_assert(sizeof(Ball) == sizeof(arb_struct));
    Ball result;
    arb_dot(result.x_, nullptr, 0, reinterpret_cast<arb_srcptr>(x.data()), 1,
            reinterpret_cast<arb_srcptr>(y.data()), 1, static_cast<slong>(x.size()), kBits);
    return result;
  }

 private:
  static Ball binary(void (*operation)(arb_t, const arb_t, const arb_t, slong), const Ball& a,
                     const Ball& b) {
    Ball result;
    operation(result.x_, a.x_, b.x_, kBits);
    return result;
  }
  static Ball unary(void (*operation)(arb_t, const arb_t, slong), const Ball& a) {
    Ball result;
    operation(result.x_, a.x_, kBits);
    return result;
  }

  arb_t x_;
};

}  // namespace attest
