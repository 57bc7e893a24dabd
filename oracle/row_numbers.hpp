// row_numbers.hpp - what goes into the multiprecision part of the oracle for one row, and what
// comes out of it, in binary64: bounds and enclosures that no longer depend on the working
// precision.
#pragma once

#include <span>
#include <vector>

#include "core/enclosure.hpp"
#include "oracle/operands.hpp"

namespace attest {

// Requires: at least one key; query, keys and the chosen columns of V are finite.
struct RowTask {
  const KeyHead& head;
  const QueryRow& query;
  double scale;
  std::span<const Index> keys;      // ascending
  std::span<const double> abs_dot;  // of measure(), in the order of `keys`
  std::span<const Index> columns;   // of V, ascending
};

// O_ik lies within `radius` of hi + lo, of which lo is the rounding error of hi.
struct Centre {
  double hi = 0;
  double lo = 0;
  double radius = 0;
};

// Vectors over keys and columns are in the order of the task.
struct RowNumbers {
  int bits = 0;
  double log_error = 0;  // the weights' log-error Lambda (error-analysis.md, Theorem 2)
  std::size_t argmax = 0;
  Index keys_near_max = 0;
  Enclosure max_score;
  Enclosure sum_exp;
  Enclosure lse;
  std::vector<double> pi;              // upper bounds
  std::vector<double> abs_score;       // likewise
  std::vector<double> gap;             // m - s_j: upper bounds
  std::vector<double> gap_least;       // m - s_j: lower bounds
  std::vector<double> fade;            // exp(M_(t-1) - M_t) of an ascending pass: upper bounds
  std::vector<double> running_weight;  // exp(s_t - M_t): likewise
  std::vector<Enclosure> o;
  std::vector<Centre> centre;
};

}  // namespace attest
