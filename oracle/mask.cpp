#include "oracle/mask.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

bool is_live(const Problem& problem, Index b, Index i, Index j) {
  const Index lq = problem.live_queries(b);
  const Index lk = problem.live_keys(b);
  if (i < 0 || i >= lq || j < 0 || j >= lk) return false;
  const Index off = problem.align == Align::top_left ? 0 : lk - lq;
  // The definition, with i + off moved to the other side: an unlimited width then needs no case of
  // its own, since no difference of two indices reaches it.
  const Index offset = j - i - off;
  return offset >= -problem.left && offset <= problem.right;
}

KeyRange live_range(const Problem& problem, Index b, Index i) {
  const Index lq = problem.live_queries(b);
  const Index lk = problem.live_keys(b);
  if (i < 0 || i >= lq) return {};
  const Index diagonal = i + (problem.align == Align::top_left ? 0 : lk - lq);
  // No key is further from the diagonal than this, so that clipped widths cannot overflow.
  const Index widest = lk + lq;
  const Index first = std::max<Index>(0, diagonal - std::clamp(problem.left, -widest, widest));
  const Index end = std::min(lk, diagonal + std::clamp(problem.right, -widest, widest) + 1);
  return first < end ? KeyRange{first, end} : KeyRange{};
}

std::vector<Index> keys_of(KeyRange range) {
  std::vector<Index> keys(static_cast<std::size_t>(range.size()));
  std::iota(keys.begin(), keys.end(), range.first);
  return keys;
}

}  // namespace attest
