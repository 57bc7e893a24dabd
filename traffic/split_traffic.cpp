#include "traffic/split_traffic.hpp"

#include <algorithm>

namespace attest {
namespace {

constexpr Index kBlocksWanted = 128;
constexpr Index kLeastTiles = 2;  // of keys, in a part
constexpr Index kManyParts = 8;
constexpr Index kDecodeTile = 16;  // packed rows, and keys
constexpr Index kCombineOnChip = 4 * kLanes * kFloat;

Index widest(const Problem& p) { return std::max(p.d_qk, p.d_v); }

Index tile_blocks(const Problem& p) {
  return p.batch * p.heads_q * tiles_over(p.n_q, kUsualTiles.of(widest(p)).queries);
}

Index decode_warps(const Problem& p) { return widest(p) <= 128 ? 4 : 2; }

Index decode_row_tiles(const Problem& p) {
  return tiles_over(p.heads_q / p.heads_k * p.n_q, kDecodeTile);
}

Index wanted(Index blocks) { return blocks == 0 ? 1 : tiles_over(kBlocksWanted, blocks); }

KeyParting dealt(Index n_k, Index tile, Index parts) {
  const Index part_k = tile * std::max(kLeastTiles, tiles_over(tiles_over(n_k, tile), parts));
  return {part_k, std::max<Index>(1, tiles_over(n_k, part_k))};
}

// Pairs of a row and a part in which it sees a key, over all heads.
Index live_parts(const Problem& p, const KeyParting& parting) {
  return p.heads_q * sum_over_tiles(p, p.n_q, 1, [&](Index b, Index i) {
           Index live = 0;
           for (Index s = 0; s < parting.parts; ++s) {
             live += keys_seen_of(p, b, i, 1, s * parting.part_k, parting.part_k) > 0;
           }
           return live;
         });
}

struct Partials {
  TensorTraffic lse, o;
  Index bytes;
};

// Written by the first kernel, an LSE of every row and part and an O where there is one; read by
// the merge.
Partials partials_of(const Problem& p, const KeyParting& parting, const PartialOutputs& partial) {
  const Index rows = query_rows(p) * parting.parts;
  const Index o = live_parts(p, parting) * p.d_v * partial.o_bytes;
  return {{"partial lse", {rows * kFloat * partial.lse_passes, rows * kFloat}},
          {"partial o", {o, o}},
          rows * (kFloat + p.d_v * partial.o_bytes)};
}

// What both kernels of either subject have in common.
MemoryUse with_merge(const Problem& p, Index q_rows, Index k_rows, Index lengths, Index on_chip,
                     const Partials& partials) {
  lengths += lengths_read(query_rows(p), 1);  // of the merge: a warp a row
  const bool runs = query_rows(p) > 0;
  return {{{"q", {q_rows * p.d_qk * kElement, 0}},
           {"k", {k_rows * p.d_qk * kElement, 0}},
           {"v", {k_rows * p.d_v * kElement, 0}},
           {"o", {0, query_rows(p) * p.d_v * bytes_of(p.out)}},
           {"lse", {0, query_rows(p) * kFloat}},
           {"lq", {lengths, 0}},
           {"lk", {lengths, 0}},
           partials.lse,
           partials.o},
          partials.bytes,
          runs ? static_cast<int>(std::max(on_chip, kCombineOnChip)) : 0};
}

}  // namespace

KeyParting usual_parts(const Problem& p) {
  return dealt(p.n_k, kUsualTiles.of(widest(p)).keys, wanted(tile_blocks(p)));
}

KeyParting many_parts(const Problem& p) {
  const Index part_k = kUsualTiles.of(widest(p)).keys;
  return {part_k, std::max(kManyParts, tiles_over(p.n_k, part_k))};
}

KeyParting decode_parts(const Problem& p) {
  const Index warps = decode_warps(p);
  const Index blocks = p.batch * p.heads_k * decode_row_tiles(p);
  KeyParting parting = dealt(p.n_k, kDecodeTile, wanted(blocks) * warps);
  parting.parts = tiles_over(parting.parts, warps) * warps;
  return parting;
}

MemoryUse split_forward_traffic(const Problem& p, const KeyParting& parting,
                                const PartialOutputs& partial) {
  const TileShape& tile = kUsualTiles.of(widest(p));
  Index q_rows = 0, k_rows = 0;
  for (Index s = 0; s < parting.parts; ++s) {
    const auto seen = [&](Index b, Index first) {
      return keys_seen_of(p, b, first, tile.queries, s * parting.part_k, parting.part_k);
    };
    k_rows += sum_over_tiles(p, p.n_q, tile.queries, seen);
    q_rows += sum_over_tiles(p, p.n_q, tile.queries, [&](Index b, Index first) {
      return seen(b, first) == 0 ? 0 : rows_below_length(p, b, first, tile.queries);
    });
  }
  return with_merge(p, p.heads_q * q_rows, p.heads_q * k_rows,
                    lengths_read(tile_blocks(p) * parting.parts, tile.queries / kWarpRows),
                    matrix_on_chip(tile.queries + 2 * tile.keys, widest(p)),
                    partials_of(p, parting, partial));
}

MemoryUse decode_forward_traffic(const Problem& p) {
  const KeyParting parting = decode_parts(p);
  const Index warps = decode_warps(p), row_tiles = decode_row_tiles(p);
  const Index blocks_of_tile = parting.parts / warps;
  const Index q_rows =
      p.heads_q * blocks_of_tile * sum_over_batch(p, [&](Index b) { return p.live_queries(b); });
  const Index k_rows =
      p.heads_k * row_tiles * sum_over_batch(p, [&](Index b) { return keys_seen(p, b, 0, p.n_q); });
  return with_merge(p, q_rows, k_rows,
                    lengths_read(p.batch * p.heads_k * row_tiles * blocks_of_tile, warps),
                    matrix_on_chip(kDecodeTile + 2 * warps * kDecodeTile, widest(p)),
                    partials_of(p, parting, {kFloat, 1}));
}

}  // namespace attest
