// hulls.hpp - what O_ik cannot leave: it is a mean of its column.
#pragma once

#include <algorithm>
#include <vector>

#include "oracle/row_numbers.hpp"

namespace attest {

// Every exact weight is positive, so O_ik is a mean of the column: it lies between its least and
// its largest value. A constant column, or one key, gives a point. In the order of the columns.
[[nodiscard]] std::vector<Enclosure> hulls(const RowTask& task);

// The parts of two enclosures of one number that both allow.
[[nodiscard]] inline Enclosure intersection(Enclosure a, Enclosure b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

}  // namespace attest
