// binary64_gradients.hpp - gradients by blocks in binary64 held against multiprecision: what the
// test and the soak share.
#pragma once

#include <optional>

#include "core/answer.hpp"
#include "oracle/enclose_backward.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest {

// Counts of what was compared; every contradiction is a failure of the running test.
struct GradientComparison {
  Index elements = 0;
  Index loose_rows = 0;
  Index pairs = 0;
  double widest = 0;  // width / sum of magnitudes, of dV

  void compare(const Problem& problem, const Inputs& inputs, const Answer& forward,
               const std::optional<StoredForward>& stored);
};

}  // namespace attest
