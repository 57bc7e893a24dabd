#include "traffic/live_counts.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace attest {
namespace {

// Beyond every row, far from overflow.
constexpr Index kFar = Index{1} << 40;

struct Band {
  Index left, right, offset;
};

Band band_of(const Problem& p, Index b) {
  return {std::clamp(p.left, -kFar, kFar), std::clamp(p.right, -kFar, kFar),
          p.align == Align::top_left ? 0 : p.live_keys(b) - p.live_queries(b)};
}

struct Interval {
  Index low, high;  // both included; empty where low > high
};

Index size(const Interval& interval) {
  return std::max<Index>(0, interval.high - interval.low + 1);
}

Interval both(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// Both ends of what a row sees move by one a row: neighbours' intervals overlap or touch.
Interval seen_by(const Problem& p, Index b, Index first, Index rows) {
  const Index below = rows_below_length(p, b, first, rows);
  const Band band = band_of(p, b);
  if (below == 0 || band.left + band.right < 0) return {0, -1};
  const Index middle = first + band.offset;
  return both({middle - band.left, middle + below - 1 + band.right}, {0, p.live_keys(b) - 1});
}

}  // namespace

Index tiles_over(Index rows, Index tile) {
  ATTEST_EXPECTS(tile >= 1);
  return (rows + tile - 1) / tile;
}

Index rows_below_length(const Problem& p, Index b, Index first, Index rows) {
  return size(both({first, first + rows - 1}, {0, p.live_queries(b) - 1}));
}

Index keys_seen(const Problem& p, Index b, Index first, Index rows) {
  return size(seen_by(p, b, first, rows));
}

Index keys_seen_of(const Problem& p, Index b, Index first, Index rows, Index first_key,
                   Index keys) {
  return size(both(seen_by(p, b, first, rows), {first_key, first_key + keys - 1}));
}

Index queries_seeing(const Problem& p, Index b, Index first_key, Index keys) {
  const Index below = size(both({first_key, first_key + keys - 1}, {0, p.live_keys(b) - 1}));
  const Band band = band_of(p, b);
  if (below == 0 || band.left + band.right < 0) return 0;
  const Index middle = first_key - band.offset;
  return size(
      both({middle - band.right, middle + below - 1 + band.left}, {0, p.live_queries(b) - 1}));
}

Index live_pairs(const Problem& p) {
  Index pairs = 0;
  for (Index b = 0; b < p.batch; ++b) {
    const Index lq = p.live_queries(b), lk = p.live_keys(b);
    // Where the first and the last row see all keys, so do those between.
    if (keys_seen(p, b, 0, 1) == lk && keys_seen(p, b, lq - 1, 1) == lk) {
      pairs += lq * lk;
      continue;
    }
    for (Index i = 0; i < lq; ++i) pairs += keys_seen(p, b, i, 1);
  }
  return pairs * p.heads_q;
}

}  // namespace attest
