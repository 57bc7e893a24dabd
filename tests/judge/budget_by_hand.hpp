// budget_by_hand.hpp - every term of a forward budget once more, from the data instead of moments.
//
// In long double, key by key, for one row and one column of V on ordinary data (no subnormals, no
// far keys, full tiles). Written from the formulas alone; shares no line with the judge.
#pragma once

#include <map>
#include <string>

#include "core/case.hpp"
#include "core/numerics.hpp"

namespace attest {

struct HandBudget {
  std::map<std::string, long double> o;
  std::map<std::string, long double> lse;
};

// Requires: every field of `numerics` is known; batch = heads = n_q = d_v = 1, all keys live.
[[nodiscard]] HandBudget budget_by_hand(const Problem& problem, const Inputs& inputs,
                                        const Numerics& numerics);

}  // namespace attest
