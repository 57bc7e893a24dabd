// head_scores.hpp - the scores of one query head, as plain data: what a replay of a declared
// schedule starts from.
//
// The keys that a row sees lie next to each other (core/problem.hpp: the mask is one band). Numbers
// of other keys have no meaning.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace attest {

struct RowScores {
  Index first = 0;  // keys first <= j < end are live
  Index end = 0;
  Index products = 0;  // no score of the row has more products that are not 0
  bool known = false;  // the numbers hold: query and live keys are finite, none above 32 bits
};

struct HeadScores {
  Index n_k = 0;
  std::vector<RowScores> rows;  // per query row
  std::vector<double> dot;      // [n_q, n_k]: sum_c q_c k_jc, unscaled
  std::vector<double> size;     // [n_q, n_k]: sum_c floor(q_c) floor(k_jc) of core/moments, upward
  double relative_radius = 0;   // a dot lies within this times its size of the exact one

  [[nodiscard]] std::size_t at(Index i, Index j) const {
    return static_cast<std::size_t>(i * n_k + j);
  }
};

}  // namespace attest
