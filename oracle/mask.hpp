// mask.hpp - which keys a row sees, from the definition, one pair at a time.
//
// Kernels derive their masks tile by tile and must not use this: a mask written once for both
// would be wrong in both.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace attest {

// Is key j live for row i of batch entry b? See core/problem.hpp for the definition.
[[nodiscard]] bool is_live(const Problem& problem, Index b, Index i, Index j);

// Keys first <= j < end.
struct KeyRange {
  Index first = 0;
  Index end = 0;

  [[nodiscard]] Index size() const { return end - first; }
};

// These keys one by one.
[[nodiscard]] std::vector<Index> keys_of(KeyRange range);

// All live keys of a row at once: what is_live says of each is an interval, since both of its
// conditions on j are. Empty ranges have first = end = 0.
[[nodiscard]] KeyRange live_range(const Problem& problem, Index b, Index i);

}  // namespace attest
