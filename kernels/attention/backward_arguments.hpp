// backward_arguments.hpp - what the kernels of the backward are told, and what they hand on to each
// other: two numbers a row, and where dQ is summed by atomics one more for each of its elements.
#pragma once

#include "kernels/attention/backward_config.hpp"
#include "kernels/attention/problem_arguments.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// A gradient in the format of the problem's outputs: one of the two.
template <class Element>
struct GradientSpan {
  GlobalSpan<Element> narrow;
  GlobalSpan<float> wide;
};

// dout and o have one shape, and so do glse, lse and row_dot; dq_sum has that of q.
template <class Element>
struct BackwardArguments : ProblemArguments {
  GlobalSpan<const Element> q, k, v, dout;
  GlobalSpan<const Element> o;
  GlobalSpan<const float> o_wide;  // in place of o, where outputs are binary32
  GlobalSpan<const float> lse;
  GlobalSpan<const float> glse;  // the gradient given for lse, if has_glse
  bool has_glse;
  GlobalSpan<float> row_dot;  // D of each row that sees a key, 0 of all others
  GlobalSpan<float> dq_sum;
  GradientSpan<Element> dq, dk, dv;
  WeightRule weights;

  ATTEST_DEVICE float load_o(std::int64_t i, Where where = Where::current()) const {
    return wide ? o_wide.load(i, where) : widen(o.load(i, where));
  }
  ATTEST_DEVICE void store(const GradientSpan<Element>& to, std::int64_t i, float value,
                           Where where = Where::current()) const {
    if (wide) {
      to.wide.store(i, value, where);
    } else {
      to.narrow.store(i, round_to<Element>(value), where);
    }
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
