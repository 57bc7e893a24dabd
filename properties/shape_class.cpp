#include "properties/shape_class.hpp"

#include <algorithm>

#include "oracle/mask.hpp"

namespace attest {
namespace {

constexpr Index kTile = 16;

bool empty_keys(const Problem& p) {
  return p.n_k == 0 || std::ranges::find(p.lk, Index{0}) != p.lk.end();
}
bool one_query(const Problem& p) { return p.n_q == 1; }
bool one_key(const Problem& p) { return p.n_k == 1; }
bool tile_edge(const Problem& p) { return p.n_k > 1 && (p.n_k + 1) % kTile <= 2; }

bool prime_keys(const Problem& p) {
  for (Index divisor = 2; divisor * divisor <= p.n_k; ++divisor) {
    if (p.n_k % divisor == 0) return false;
  }
  return p.n_k > 1;
}

bool three_tiles(const Problem& p) { return p.n_k > 2 * kTile; }
bool rectangular(const Problem& p) { return p.n_q != p.n_k; }
bool gqa(const Problem& p) { return p.heads_q != p.heads_k; }
bool mixed_dims(const Problem& p) { return p.d_qk != p.d_v; }

bool causal(const Problem& p) { return p.left == kUnlimited && p.right == 0; }
bool causal_tl(const Problem& p) { return causal(p) && p.align == Align::top_left; }
bool causal_br(const Problem& p) { return causal(p) && p.align == Align::bottom_right; }
bool negative_band(const Problem& p) { return p.left < 0 || p.right < 0; }

bool window(const Problem& p) {
  const bool banded = p.left != kUnlimited || p.right != kUnlimited;
  return banded && !causal(p) && !negative_band(p);
}

bool lengths(const Problem& p) { return !p.lq.empty() || !p.lk.empty(); }
bool batch(const Problem& p) { return p.batch > 1; }

// The smallest live key of a row, n_k when there is none.
Index first_live(const Problem& p, Index b, Index i) {
  Index j = 0;
  while (j < p.n_k && !is_live(p, b, i, j)) ++j;
  return j;
}

template <class Holds>
bool any_row(const Problem& p, Holds holds) {
  for (Index b = 0; b < p.batch; ++b) {
    for (Index i = 0; i < p.live_queries(b); ++i) {
      if (holds(first_live(p, b, i))) return true;
    }
  }
  return false;
}

bool wide_heads(const Problem& p) { return p.d_qk > 64 || p.d_v > 64; }

bool dead_rows(const Problem& p) {
  return any_row(p, [&](Index first) { return first == p.n_k; });
}

bool dead_first_tile(const Problem& p) {
  return any_row(p, [&](Index first) { return first >= kTile && first < p.n_k; });
}

constexpr ShapeClass kTable[] = {
    {"empty_keys", empty_keys},   {"one_query", one_query},
    {"one_key", one_key},         {"tile_edge", tile_edge},
    {"prime_keys", prime_keys},   {"three_tiles", three_tiles},
    {"rectangular", rectangular}, {"gqa", gqa},
    {"mixed_dims", mixed_dims},   {"wide_heads", wide_heads},
    {"causal_tl", causal_tl},     {"causal_br", causal_br},
    {"window", window},           {"negative_band", negative_band},
    {"lengths", lengths},         {"batch", batch},
    {"dead_rows", dead_rows},     {"dead_first_tile", dead_first_tile},
};

}  // namespace

std::span<const ShapeClass> shape_classes() { return kTable; }

}  // namespace attest
