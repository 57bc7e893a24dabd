// head_gradients.hpp - what a replay of a backward needs of one query head beside its scores.
#pragma once

#include <vector>

#include "core/head_scores.hpp"

namespace attest {

// sum_k dout_ik o_ik of a stored O.
struct RowDot {
  double dot = 0;
  double size = 0;     // sum_k |dout_ik o_ik|, upward; a dot is as near to exact as one of pairs
  Index products = 0;  // how many dout_ik o_ik are not zero
  bool known = false;  // all of them are finite
};

struct HeadGradients {
  HeadScores dp;          // of dout and v in place of q and k
  std::vector<RowDot> d;  // per query row; nothing is known of rows without a live key
};

}  // namespace attest
