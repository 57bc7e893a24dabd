// wide_head.hpp - Q, K and V of one head, as work by blocks in binary64 wants them.
#pragma once

#include <vector>

#include "core/case.hpp"
#include "core/problem.hpp"

namespace attest {

// K and V of one key head. Rows are padded with zeros to a multiple of kLanes keys. Magnitudes are
// binary32, divided by a power of two that brings the largest to [1/2, 1): none overflows, and what
// underflows is nothing beside it.
struct WideHead {
  Index keys = 0;              // n_k
  Index padded = 0;            // rows of what follows
  bool finite = true;          // are all of K and V?
  std::vector<double> k;       // [padded, d_qk]
  std::vector<double> v;       // [padded, d_v]
  std::vector<float> k_floor;  // [padded, d_qk]: floor(k) of core/moments.hpp / k_unit
  std::vector<float> v_sizes;  // [padded, 2 d_v]: |v| / v_unit, then its squares
  double k_unit = 1;
  double v_unit = 1;
  double max_kappa = 0;              // largest sum_c |k_jc|, upward
  std::vector<double> column_max;    // per column of V: largest |v| / v_unit
  std::vector<double> prefix_abs_v;  // [blocks + 1, d_v]: sum of |v| over the keys before a block

  // Upper bound of the sum of |v_jk| over keys first <= j < end.
  [[nodiscard]] double sum_abs_v(Index first, Index end, Index column, Index d_v) const;
};

// Q of one query head.
struct WideQueries {
  std::vector<double> q;              // [n_q, d_qk]
  std::vector<unsigned char> finite;  // per row
  std::vector<double> largest;        // per row: the largest floor(q_c)
};

[[nodiscard]] WideQueries read_wide_queries(const Problem& problem, const Inputs& inputs, Index b,
                                            Index h);

[[nodiscard]] WideHead read_wide_head(const Problem& problem, const Inputs& inputs, Index b,
                                      Index h_k);

// The power of two just above the largest magnitude, 1 where all are 0.
[[nodiscard]] double unit_above(double largest);

}  // namespace attest
