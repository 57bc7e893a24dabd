// forward_arguments.hpp - what a forward kernel is told, in terms of the machine.
#pragma once

#include "kernels/attention/problem_arguments.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element>
struct ForwardArguments : ProblemArguments {
  GlobalSpan<const Element> q, k, v;
  GlobalSpan<Element> o;
  GlobalSpan<float> o_wide;  // in place of o, where outputs are binary32
  GlobalSpan<float> lse;

  ATTEST_DEVICE void store_o(std::int64_t row, int column, float value,
                             Where where = Where::current()) const {
    if (wide) {
      o_wide.store(row * d_v + column, value, where);
    } else {
      o.store(row * d_v + column, round_to<Element>(value), where);
    }
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
