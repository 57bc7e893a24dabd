// band.hpp - the mask as a kernel sees it: which keys a row, and a tile of rows, can see, and which
// rows see a key, and a tile of keys.
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

// Rows first .. last - 1 of the queries.
using QueryRange = KeyRange;

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

  // Which rows see key j: row i sees it from i = j - off - right on, up to j - off + left.
  ATTEST_DEVICE QueryRange of_key(int j, int lq, int lk) const {
    if (j >= lk) return {0, 0};
    const std::int64_t middle = std::int64_t(j) - (bottom_right ? lk - lq : 0);
    const std::int64_t first = middle - right;
    const std::int64_t last = middle + left + 1;
    return {first < 0    ? 0
            : first > lq ? lq
                         : int(first),
            last > lq  ? lq
            : last < 0 ? 0
                       : int(last)};
  }

  // Which rows see any of the keys j .. j + keys - 1: without a gap, as above.
  ATTEST_DEVICE QueryRange of_keys(int j, int keys, int lq, int lk) const {
    const int last_key = j + keys < lk ? j + keys - 1 : lk - 1;
    if (j > last_key || left + right < 0) return {0, 0};
    const QueryRange see{of_key(j, lq, lk).first, of_key(last_key, lq, lk).last};
    return see.empty() ? QueryRange{0, 0} : see;
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
