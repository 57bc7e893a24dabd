// scalar_unit.hpp - the accumulator of a matrix unit, one scalar after the other: what
// scalar_backward.cpp multiplies with, after docs/error-analysis.md, Lemma 4.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/format.hpp"
#include "core/unit.hpp"

namespace attest {

using Operands = std::vector<double>;

// One accumulator of the declared unit: products of at most `tile` slots at a time.
class Accumulator {
 public:
  Accumulator(Unit unit, Format operands, bool ftz)
      : unit_(unit), least_exponent_(shape_of(operands).emin), ftz_(ftz) {}

  void add(const Operands& x, const Operands& y) {
    const std::size_t width = unit_ == Unit::v100 ? 4 : unit_ == Unit::a100 ? 8 : 16;
    if (unit_ == Unit::fp32_seq) {
      for (std::size_t n = 0; n < x.size(); ++n) {
        value_ = flushed(std::fma(static_cast<float>(x[n]), static_cast<float>(y[n]), value_));
      }
      return;
    }
    for (std::size_t first = 0; first < x.size(); first += width) {
      add_block(x, y, first, std::min(x.size(), first + width));
    }
  }
  [[nodiscard]] float value() const { return value_; }

 private:
  [[nodiscard]] float flushed(float x) const {
    return ftz_ && std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
  }
  // A subnormal operand enters with the exponent of the smallest normal one.
  [[nodiscard]] int exponent_of(double x) const { return std::max(std::ilogb(x), least_exponent_); }
  static long double cut(long double x, int least) {
    return std::ldexp(std::trunc(std::ldexp(x, -least)), least);
  }

  void add_block(const Operands& x, const Operands& y, std::size_t first, std::size_t last) {
    const int bits = unit_ == Unit::v100 ? 23 : unit_ == Unit::a100 ? 24 : 25;
    int top = -10'000;
    if (value_ != 0) top = std::max(std::ilogb(value_), -126);
    for (std::size_t n = first; n < last; ++n) {
      if (x[n] != 0 && y[n] != 0) top = std::max(top, exponent_of(x[n]) + exponent_of(y[n]));
    }
    if (top == -10'000) return;
    top = std::max(top, -133);
    const bool exact = unit_ == Unit::exact_rn;
    long double sum = exact ? value_ : cut(value_, top - bits);
    for (std::size_t n = first; n < last; ++n) {
      const long double product = static_cast<long double>(x[n]) * y[n];
      sum += exact ? product : cut(product, top - bits);
    }
    if (!exact && sum != 0) sum = cut(sum, std::max(std::ilogb(sum) - 23, -149));
    value_ = flushed(static_cast<float>(sum));
  }

  Unit unit_;
  int least_exponent_;
  bool ftz_;
  float value_ = 0;
};

}  // namespace attest
