// band.hpp - the mask as a kernel sees it: which keys a row, and a tile of rows, can see.
//
// Derived here on its own from the definition in core/problem.hpp; the oracle has another.
#pragma once

#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

// Keys first .. last - 1.
struct KeyRange {
  int first, last;
  ATTEST_DEVICE bool empty() const { return first >= last; }
  ATTEST_DEVICE bool holds(int j) const { return first <= j && j < last; }
};

struct Band {
  std::int64_t left, right;  // clamped by the host, so that no sum of two and an index overflows
  bool bottom_right;

  // What row i of a batch entry with these lengths sees.
  ATTEST_DEVICE KeyRange of_row(int i, int lq, int lk) const {
    if (i >= lq) return {0, 0};
    const std::int64_t middle = std::int64_t(i) + (bottom_right ? lk - lq : 0);
    const std::int64_t first = middle - left;
    const std::int64_t last = middle + right + 1;
    return {first < 0    ? 0
            : first > lk ? lk
                         : int(first),
            last > lk  ? lk
            : last < 0 ? 0
                       : int(last)};
  }

  // What any of the rows i .. i + rows - 1 sees: without a gap, since both ends move by one a row.
  ATTEST_DEVICE KeyRange of_rows(int i, int rows, int lq, int lk) const {
    const int last_row = i + rows < lq ? i + rows - 1 : lq - 1;
    if (i > last_row || left + right < 0) return {0, 0};
    const KeyRange seen{of_row(i, lq, lk).first, of_row(last_row, lq, lk).last};
    return seen.empty() ? KeyRange{0, 0} : seen;  // from 0, so that no tile lies before its end
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
