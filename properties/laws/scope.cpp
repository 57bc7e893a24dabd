#include "properties/laws/scope.hpp"

#include <algorithm>
#include <vector>

#include "oracle/mask.hpp"

namespace attest {
namespace {

// Is any number of rows that see a key, of the rows there are, as asked?
template <class Holds>
bool any_key(const Problem& p, Holds holds) {
  for (Index b = 0; b < p.batch; ++b) {
    std::vector<Index> change(static_cast<std::size_t>(p.n_k) + 1);
    for (Index i = 0; i < p.live_queries(b); ++i) {
      const KeyRange range = live_range(p, b, i);
      ++change[static_cast<std::size_t>(range.first)];
      --change[static_cast<std::size_t>(range.end)];
    }
    Index seeing = 0;
    for (Index j = 0; j < p.n_k; ++j) {
      seeing += change[static_cast<std::size_t>(j)];
      if (holds(seeing, p.live_queries(b))) return true;
    }
  }
  return false;
}

}  // namespace

bool has_pairs(const Problem& p) {
  for (Index b = 0; b < p.batch; ++b) {
    if (p.live_queries(b) > 0 && p.live_keys(b) > 0) return true;
  }
  return false;
}

bool has_live_rows(const Problem& p) { return most_tiles_of_a_row(p, 1) > 0; }

bool has_unseen_bytes(const Problem& p) {
  for (Index b = 0; b < p.batch; ++b) {
    if (p.live_queries(b) < p.n_q) return true;
  }
  return any_key(p, [](Index seeing, Index) { return seeing == 0; });
}

bool has_mixed_keys(const Problem& p) {
  return any_key(p, [](Index seeing, Index rows) { return seeing != 0 && seeing != rows; });
}

bool has_other_groups(const Problem& p) { return p.batch * p.heads_k >= 2; }

bool has_shared_keys(const Problem& p) { return p.heads_q > p.heads_k && has_live_rows(p); }

bool has_free_order(const Problem& p) {
  return p.left == kUnlimited && p.right == kUnlimited && p.n_k >= 2 && has_pairs(p);
}

bool has_entries_apart(const Problem& p) { return p.batch * p.heads_q >= 2; }

Index most_tiles_of_a_row(const Problem& p, Index tile_k) {
  Index most = 0;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index i = 0; i < p.live_queries(b); ++i) {
      const KeyRange range = live_range(p, b, i);
      if (range.size() == 0) continue;
      most = std::max(most, (range.end - 1) / tile_k - range.first / tile_k + 1);
    }
  }
  return most;
}

}  // namespace attest
