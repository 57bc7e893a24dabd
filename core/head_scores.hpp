// head_scores.hpp - the scores of some rows of one query head, as plain data: what a replay of a
// declared schedule starts from. Long heads come block by block, so that memory is never n x n.
//
// The keys that a row sees lie next to each other (core/problem.hpp: the mask is one band). Numbers
// of other keys have no meaning.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace attest {

struct RowRange {
  Index first = 0;
  Index end = 0;  // first <= i < end
};

struct RowScores {
  Index first = 0;  // keys first <= j < end are live
  Index end = 0;
  Index products = 0;  // no score of the row has more products that are not 0
  bool known = false;  // the numbers hold: query and live keys are finite, none above 32 bits
};

struct HeadScores {
  HeadScores() = default;
  HeadScores(RowRange range, Index keys)
      : n_k(keys),
        block(range),
        rows(static_cast<std::size_t>(range.end - range.first)),
        dot(rows.size() * static_cast<std::size_t>(keys)),
        size(dot.size()) {}

  Index n_k = 0;
  RowRange block;               // the query rows
  std::vector<RowScores> rows;  // per row of the block
  std::vector<double> dot;      // [rows, n_k]: sum_c q_c k_jc, unscaled
  std::vector<double> size;     // [rows, n_k]: sum_c floor(q_c) floor(k_jc) of core/moments, upward
  double relative_radius = 0;   // a dot lies within this times its size of the exact one

  [[nodiscard]] const RowScores& row(Index i) const {
    return rows[static_cast<std::size_t>(i - block.first)];
  }
  [[nodiscard]] RowScores& row(Index i) { return rows[static_cast<std::size_t>(i - block.first)]; }
  [[nodiscard]] std::size_t at(Index i, Index j) const {
    return static_cast<std::size_t>((i - block.first) * n_k + j);
  }
};

}  // namespace attest
