// moments.hpp - the upward moments of one row and of its outputs, from bounds of its scores.
//
// All sums are of terms >= 0 in binary64, enlarged once: error-analysis.md, Lemma 3. What each
// moment means stands in core/moments.hpp.
#pragma once

#include <span>
#include <vector>

#include "core/moments.hpp"
#include "oracle/classes.hpp"
#include "oracle/operands.hpp"
#include "oracle/row_numbers.hpp"

namespace attest {

// One live key as the moments see it.
struct LiveKey {
  Index j = 0;
  bool near = false;     // unless m - s_j is sure to exceed kNearGap
  double pi = 0;         // upper bounds, as all that follows
  FactorSums factors{};  // f_j; infinite for a score of -inf
  FactorSums pi_factors{};
  double fade = 1;            // exp(M_(t-1) - M_t) with t = j, M_t the maximum of keys up to t
  double running_weight = 0;  // exp(s_t - M_t)
  double abs_dot = 0;
  Index products = 0;    // exactly, or d_qk for a score of -inf
  double gap_least = 0;  // a lower bound of m - s_j
};

// Requires: row.lse is finite; magnitudes and numbers are those of row.weighted.
[[nodiscard]] std::vector<LiveKey> bound_live_keys(const KeyHead& head, const RowClass& row,
                                                   const PairMagnitudes& magnitudes,
                                                   const RowNumbers& numbers);

// Everything of a row but what `numbers` holds already: enclosures, argmax, keys near the maximum.
[[nodiscard]] RowMoments measure_row(const std::vector<LiveKey>& keys);

// Of O_ik for the given columns k, each of which lies about its centre. Requires: these columns are
// finite in all live keys.
[[nodiscard]] std::vector<ElementMoments> measure_elements(const KeyHead& head,
                                                           const std::vector<LiveKey>& keys,
                                                           std::span<const Index> columns,
                                                           std::span<const Centre> centres);

}  // namespace attest
