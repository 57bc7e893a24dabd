// replay_weights.hpp - the weights of one row as a declared schedule computes them: of each, what P
// may hold, and what the row sum adds.
//
// error-analysis.md, Lemma 33 (weights) and error-analysis.md, Lemma 34 (rescale factors).
#pragma once

#include <span>
#include <vector>

#include "core/head_scores.hpp"
#include "judge/replay_rules.hpp"

namespace attest {

// A number that lies within `off` of `centre`.
struct Known {
  double centre = 0;
  double off = 0;

  [[nodiscard]] double most() const { return centre + off; }
};

// In the frame of its tile: relative to the largest score that the row has met by the tile's end.
struct ReplayedWeight {
  Known stored;  // what P V multiplies: off is 0 where P is known
  Known summed;  // what the row sum adds
};

struct ReplayedTile {
  Index first = 0;  // its live keys: first <= j < end
  Index end = 0;
  double reach = 1;        // A: exp(its maximum - the last tile's)
  double frame_off = 0;    // e^x - 1 for the error x of its maximum
  double rescale_off = 0;  // e^x - 1 for the errors x of all rescale factors after it
  double most = 1;         // (1 + frame_off)(1 + rescale_off)
};

struct ReplayedWeights {
  bool known = false;                   // false: some weight is too uncertain to be replayed
  std::vector<ReplayedTile> tiles;      // that hold a live key, ascending
  std::vector<ReplayedWeight> weights;  // of the row's live keys, ascending
  double most = 1;                      // the largest of the tiles
};

// `own` are the row's scores as the subject's unit computes them, bit for bit and unscaled, or
// empty: then the subject's lie within Theorem 4 of the exact ones.
//
// Requires: scores.row(i) is known and has a live key.
[[nodiscard]] ReplayedWeights replay_row(const ReplayRules& rules, const HeadScores& scores,
                                         Index i, std::span<const double> own = {});

}  // namespace attest
