// shrink.hpp - smaller cases to try when one fails, and the search that tries them.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "core/case.hpp"

namespace attest {

// Candidates strictly simpler than `c`, the boldest first: shape before lengths and band before
// values (toward 0, 1, -1, 2, integers, powers of two). A pure function; empty at a minimum. Values
// are touched once the data fits a literal.
[[nodiscard]] std::vector<Case> shrink(const Case& c);

struct Shrunk {
  Case smallest;
  int steps = 0;  // candidates that kept failing
  int tried = 0;  // candidates tried
  bool out_of_time = false;
};

// Greedy descent: the first candidate that still fails becomes the case, until none does or the
// deadline passes.
[[nodiscard]] Shrunk shrink_failure(const Case& failing,
                                    const std::function<bool(const Case&)>& still_fails,
                                    std::chrono::steady_clock::time_point deadline);

}  // namespace attest
