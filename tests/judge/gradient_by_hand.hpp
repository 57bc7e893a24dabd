// gradient_by_hand.hpp - budgets of gradients once more, from the data instead of pairs.
//
// In long double, for one head on ordinary data (no subnormals, nothing out of range, all pairs
// live). Written from docs/error-analysis.md, section 8, alone; shares no line with the judge.
#pragma once

#include <vector>

#include "core/case.hpp"
#include "core/numerics.hpp"

namespace attest {

// How far the stored LSE and O may be off, from elsewhere: [row], [row][k], O as D's source takes
// it.
struct StoredOff {
  std::vector<long double> lse;
  std::vector<std::vector<long double>> o;
};

struct GradientBudgets {
  std::vector<std::vector<long double>> dq;
  std::vector<std::vector<long double>> dk;
  std::vector<std::vector<long double>> dv;
};

// End to end. Requires: every field of `numerics` is known; batch = heads = 1.
[[nodiscard]] GradientBudgets gradient_budgets_by_hand(const Problem& problem, const Inputs& inputs,
                                                       const Numerics& numerics,
                                                       const StoredOff& off);

}  // namespace attest
