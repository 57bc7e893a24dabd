// operands.hpp - the inputs of one row, widened once to binary64, and their magnitudes.
//
// Every input format is a subset of binary64, so nothing is rounded here except the upward sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/case.hpp"
#include "core/problem.hpp"

namespace attest {

// K and V of one batch entry and key head.
struct KeyHead {
  Format format = Format::f32;
  Index n_k = 0;
  Index d_qk = 0;
  Index d_v = 0;
  std::vector<double> k;              // [n_k, d_qk]
  std::vector<double> k_floor;        // floor(k) of core/moments.hpp
  std::vector<double> v;              // [n_k, d_v]
  std::vector<double> kappa;          // per key: sum_c |k_jc|, upward
  std::vector<unsigned char> finite;  // per key: is all of k_j finite?
  bool v_finite = true;               // is all of V?

  [[nodiscard]] const double* k_row(Index j) const { return k.data() + j * d_qk; }
  [[nodiscard]] const double* k_floor_row(Index j) const { return k_floor.data() + j * d_qk; }
  [[nodiscard]] const double* v_row(Index j) const { return v.data() + j * d_v; }
};

struct QueryRow {
  std::vector<double> q;
  std::vector<double> q_floor;
  bool finite = true;
};

// max(|x|, smallest normal of the format), 0 for x = 0: what a matrix unit's alignment may take a
// subnormal operand for.
[[nodiscard]] inline double floor_of(double smallest_normal_of_format, double x) {
  return x == 0 ? 0 : std::max(std::fabs(x), smallest_normal_of_format);
}
[[nodiscard]] double floor_of(Format format, double x);

[[nodiscard]] KeyHead read_key_head(const Problem& problem, const Inputs& inputs, Index b,
                                    Index h_k);
[[nodiscard]] QueryRow read_query_row(const Problem& problem, const Inputs& inputs, Index b,
                                      Index h, Index i);

// Of some keys of one row, in the order of `keys`.
struct PairMagnitudes {
  std::vector<double> abs_dot;  // sum_c |q_c k_jc|, upward
  std::vector<double> a;        // scale * sum_c floor(q_c) floor(k_jc), upward
  std::vector<Index> products;  // how many q_c k_jc are not zero
};

// Requires: the query and the keys are finite.
[[nodiscard]] PairMagnitudes measure(const KeyHead& head, const QueryRow& query, double scale,
                                     std::span<const Index> keys);

}  // namespace attest
