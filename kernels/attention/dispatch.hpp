// dispatch.hpp - which kernel a problem goes to, and why.
//
// A pure function of the problem, so that `attest plan` can say what will happen before it does.
// A backward goes to tiled, the only path that has one: it starts from the O and LSE of its own
// forward. For a forward, the thresholds in the order in which they are asked:
//   1. up to kMostDecodeQueries query rows: decode. A tile of 16 rows would otherwise be mostly
//      empty, and the heads of a group would each read the group's keys.
//   2. up to kFewScores scores in all: materialising. S and P stay in a cache, so that tiling saves
//      no traffic, and one maximum a row needs no rescaling.
//   3. fewer than kBlocksWanted tiles of queries, and more than kLeastTiles tiles of keys: split.
//      Parts of the keys fill the machine that the queries leave idle.
//   4. tiled.
// A kernel that declines the problem is passed over; nothing where all decline.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/attention/emulated_subject.hpp"
#include "kernels/attention/split_plan.hpp"

namespace attest {

enum class Path : unsigned char { tiled, split, decode, materialising };

[[nodiscard]] std::string_view name_of(Path path);

inline constexpr Index kFewScores = 4096;

struct Dispatch {
  std::optional<Path> path;
  std::string reason;  // one sentence
  Index tile_q = 0;    // rows and keys of a block's tile
  Index tile_k = 0;
  Index blocks = 0;         // that meet scores, over all heads and parts
  SplitPlan parts{0, 1};    // part_k: 0 where all keys come at once
  Index heads_of_tile = 1;  // query heads whose rows are packed, head by head, and share tiles
};

[[nodiscard]] Dispatch dispatch(const Problem& problem);

// Tiles of scores over all batch entries and query heads.
struct TileCounts {
  Index scores = 0;       // b hq nq nk
  Index live_scores = 0;  // inside the band
  Index query_tiles = 0;
  Index tiles = 0;       // query tiles times key tiles
  Index live_tiles = 0;  // of them, those in which some row sees a key
};

// Requires: tile_q, tile_k >= 1; heads_of_tile divides heads_q; lengths fit 32 bits, scores 63.
[[nodiscard]] TileCounts count_tiles(const Problem& problem, Index tile_q, Index tile_k,
                                     Index heads_of_tile = 1);

// `dispatched`: the kernel of the chosen path, with its declaration.
[[nodiscard]] DescribedSubject dispatched_subject();

}  // namespace attest
