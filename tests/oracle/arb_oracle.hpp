// arb_oracle.hpp - a second oracle by another route, to check the first one by.
//
// Written from core/problem.hpp alone and sharing nothing with oracle/: balls instead of a running
// error, masks as one interval of keys per row in closed form instead of pair by pair, dots by
// arb_dot, and no key is ever dropped. Finite inputs only.
#pragma once

#include <functional>
#include <vector>

#include "core/case.hpp"
#include "core/enclosure.hpp"
#include "core/problem.hpp"
#include "tests/oracle/ball.hpp"

namespace attest {

// Live keys are first..last; none when last < first.
struct VisibleKeys {
  Index first = 0;
  Index last = -1;
  [[nodiscard]] Index size() const { return last < first ? 0 : last - first + 1; }
};

// Requires: i < lq(b).
[[nodiscard]] VisibleKeys visible_keys(const Problem& problem, Index b, Index i);

using MaskRule = std::function<VisibleKeys(const Problem&, Index b, Index i)>;

// One row, every quantity as a ball; vectors over keys start at keys.first. Empty for no keys.
struct ArbRow {
  VisibleKeys keys;
  std::vector<Ball> s;
  std::vector<Ball> pi;
  Ball m;
  Ball l;
  Ball lse;
  std::vector<Ball> o;  // over columns
};

[[nodiscard]] ArbRow arb_row(const Problem& problem, const Inputs& inputs, Index b, Index h,
                             Index i, const MaskRule& mask = visible_keys);

}  // namespace attest
