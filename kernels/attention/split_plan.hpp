// split_plan.hpp - how many parts the keys of a problem are dealt into.
//
// Parts exist to fill a machine that a problem's tiles of queries would leave idle. So the rule
// counts blocks: it takes as many parts as bring them to kBlocksWanted, but none shorter than
// kLeastTiles tiles of keys, below which a part costs more to merge than it saves.
#pragma once

#include "core/problem.hpp"
#include "kernels/attention/split_forms.hpp"

namespace attest {

struct SplitPlan {
  Index part_k;  // keys of a part; parts start at multiples of it
  Index parts;
  friend bool operator==(const SplitPlan&, const SplitPlan&) = default;
};

inline constexpr Index kBlocksWanted = 128;  // about the multiprocessors of one large GPU
inline constexpr Index kLeastTiles = 2;      // of keys, in a part
inline constexpr Index kManyParts = 8;       // at least, where a form asks for many

// Keys of a tile, and query rows, of a block of the tiled kernel.
[[nodiscard]] Index tiled_keys(const Problem& problem);
[[nodiscard]] Index tiled_queries(const Problem& problem);

// For kernels that take tiles of queries: blocks are those of the tiled kernel times parts.
[[nodiscard]] SplitPlan split_plan(const Problem& problem);

// A part a tile, and never fewer than kManyParts: most hold no key of a row, some none at all.
[[nodiscard]] SplitPlan many_parts_plan(const Problem& problem);

// As many parts of whole tiles as one is told, each as long as the others but for the last ones:
// where they are more than tiles, or do not divide them, some are short or hold no key.
[[nodiscard]] SplitPlan told_parts_plan(const Problem& problem, Index parts);

// The one that a form of split asks for.
[[nodiscard]] SplitPlan plan_of(const SplitConfig& config, const Problem& problem);

// For decode: rows of a key head's whole group are packed; each warp of a block has a part of its
// own, tiles of 16 keys.
inline constexpr Index kMostDecodeQueries = 16;
inline constexpr Index kDecodeTileKeys = 16;
[[nodiscard]] constexpr Index decode_warps(Index head_dim) { return head_dim <= 128 ? 4 : 2; }
[[nodiscard]] Index decode_row_tiles(const Problem& problem);
[[nodiscard]] SplitPlan decode_plan(const Problem& problem);  // parts: a multiple of the warps

}  // namespace attest
