#include "traffic/forward_traffic.hpp"

#include <algorithm>

namespace attest {
namespace {

Index blocks_of(const Problem& p, const TileShape& tile) {
  return p.batch * p.heads_q * tiles_over(p.n_q, tile.queries);
}

Index lengths_of(const Problem& p, const TileShape& tile) {
  return lengths_read(blocks_of(p, tile), tile.queries / kWarpRows);
}

// Rows of q that blocks load, each in one block.
Index query_rows_read(const Problem& p) {
  return p.heads_q * sum_over_batch(p, [&](Index b) { return p.live_queries(b); });
}

// Rows of k, or of v, that blocks load: in each block those that one of its rows sees.
Index key_rows_read(const Problem& p, Index queries) {
  return p.heads_q * sum_over_tiles(p, p.n_q, queries, [&](Index b, Index first) {
           return keys_seen(p, b, first, queries);
         });
}

Index o_bytes(const Problem& p) { return query_rows(p) * p.d_v * bytes_of(p.out); }

}  // namespace

MemoryUse tiled_forward_traffic(const Problem& p, const TileShapes& tiles) {
  const Index widest = std::max(p.d_qk, p.d_v);
  const TileShape& tile = tiles.of(widest);
  const Index keys = key_rows_read(p, tile.queries);
  const Index lengths = lengths_of(p, tile);
  const bool runs = blocks_of(p, tile) > 0;
  return {{{"q", {query_rows_read(p) * p.d_qk * kElement, 0}},
           {"k", {keys * p.d_qk * kElement, 0}},
           {"v", {keys * p.d_v * kElement, 0}},
           {"o", {0, o_bytes(p)}},
           {"lse", {0, query_rows(p) * kFloat}},
           {"lq", {lengths, 0}},
           {"lk", {lengths, 0}}},
          0,
          runs ? static_cast<int>(matrix_on_chip(tile.queries + 2 * tile.keys, widest)) : 0};
}

MemoryUse materialising_forward_traffic(const Problem& p, Index score_bytes) {
  const TileShape& scores = kUsualTiles.of(p.d_qk);
  const TileShape& outputs = kUsualTiles.of(p.d_v);
  const Index pairs = live_pairs(p);
  const Index s = pairs * score_bytes, weights = pairs * kElement;
  // The softmax gives a warp to each row and holds rows of scores in all that there is on chip.
  const Index lengths =
      lengths_of(p, scores) + lengths_of(p, outputs) + lengths_read(query_rows(p), 1);
  return {{{"q", {query_rows_read(p) * p.d_qk * kElement, 0}},
           {"k", {key_rows_read(p, scores.queries) * p.d_qk * kElement, 0}},
           {"v", {key_rows_read(p, outputs.queries) * p.d_v * kElement, 0}},
           {"o", {0, o_bytes(p)}},
           {"lse", {0, query_rows(p) * kFloat}},
           {"lq", {lengths, 0}},
           {"lk", {lengths, 0}},
           {"s", {s, s}},
           {"p", {weights, weights}}},
          query_rows(p) * p.n_k * (score_bytes + kElement),
          query_rows(p) > 0 ? static_cast<int>(kOnChipBudget) : 0};
}

}  // namespace attest
