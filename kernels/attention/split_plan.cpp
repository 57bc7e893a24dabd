#include "kernels/attention/split_plan.hpp"

#include <algorithm>

#include "kernels/attention/tile_plan.hpp"

namespace attest {
namespace {

Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }

int head_dim_of(const Problem& p) {
  return padded_head_dim(static_cast<int>(std::max(p.d_qk, p.d_v)));
}

TilePlan tiles_of(const Problem& p) { return plan_for(head_dim_of(p), 4, 64); }

// Parts of whole tiles, about `wanted` of them.
SplitPlan deal(Index n_k, Index tile_k, Index wanted) {
  const Index tiles = ceil_div(n_k, tile_k);
  const Index part_k = tile_k * std::max(kLeastTiles, ceil_div(tiles, wanted));
  return {part_k, std::max<Index>(1, ceil_div(n_k, part_k))};
}

// How many parts bring `blocks` to kBlocksWanted.
Index wanted_parts(Index blocks) {
  return blocks == 0 ? 1 : std::max<Index>(1, ceil_div(kBlocksWanted, blocks));
}

}  // namespace

Index tiled_keys(const Problem& p) { return tiles_of(p).keys; }

Index tiled_queries(const Problem& p) { return tiles_of(p).queries(); }

SplitPlan split_plan(const Problem& p) {
  const Index blocks = p.batch * p.heads_q * ceil_div(p.n_q, tiled_queries(p));
  return deal(p.n_k, tiled_keys(p), wanted_parts(blocks));
}

SplitPlan many_parts_plan(const Problem& p) {
  const Index part_k = tiled_keys(p);
  return {part_k, std::max(kManyParts, ceil_div(p.n_k, part_k))};
}

SplitPlan told_parts_plan(const Problem& p, Index parts) {
  const Index tile_k = tiled_keys(p);
  const Index tiles = std::max<Index>(1, ceil_div(p.n_k, tile_k));
  return {tile_k * ceil_div(tiles, parts), parts};
}

SplitPlan plan_of(const SplitConfig& config, const Problem& p) {
  if (config.parts > 0) return told_parts_plan(p, config.parts);
  return config.many ? many_parts_plan(p) : split_plan(p);
}

Index decode_row_tiles(const Problem& p) {
  return ceil_div(p.heads_q / p.heads_k * p.n_q, kQueriesOfWarp);
}

SplitPlan decode_plan(const Problem& p) {
  const Index warps = decode_warps(head_dim_of(p));
  const Index blocks = p.batch * p.heads_k * decode_row_tiles(p);
  SplitPlan plan = deal(p.n_k, kDecodeTileKeys, wanted_parts(blocks) * warps);
  plan.parts = ceil_div(plan.parts, warps) * warps;
  return plan;
}

}  // namespace attest
