// rounded_query.hpp - what binary64 knows of one query row's P, dP and D before it meets a key:
// centres, and what their errors are made of.
//
// error-analysis.md, Lemma 21 (P) and error-analysis.md, Lemma 22 (dP and D).
#pragma once

#include <optional>
#include <vector>

#include "core/answer.hpp"
#include "oracle/gradient_classes.hpp"

namespace attest {

// Upward Euclidean norms, which bound sums of products by rows and keys apart. What is not finite
// counts as 0: no row that works with it is asked for.
struct KeyNorms {
  std::vector<double> k;  // per key
  std::vector<double> v;
  double largest_k = 0;
  double largest_v = 0;
  std::vector<double> column_of_k;  // the largest magnitude of each column
};

[[nodiscard]] KeyNorms norms_of(const GradientHead& head);

struct RoundedQuery {
  std::size_t r = 0;  // of HeadTask::rows
  KeyRange live;
  bool scores = true;  // does it add to dQ and dK? else to dV alone
  double lse = 0;      // L^
  double lse_error = 0;
  double d = 0;  // D^
  double d_error = 0;
  double abs_dout_o = 0;  // at least sum_k |dO_k O_k|, and what it may be too large by
  double dout_o_excess = 0;
  double q_norm = 0;
  double dout_norm = 0;
  double p_bound = 0;  // at least any sum of the row's P, computed or exact
  // |log p^ - log P| <= log_error + score_error |k_j|, if P is not below e^-708.
  double log_error = 0;
  double score_error = 0;
  double dp_error = 0;  // |dP^ - dP| <= dp_error |v_j|
  // Over all keys of the row:
  double largest_log_error = 0;
  double largest_difference = 0;  // at least |dP - D|, |dP^ - D^| and their distance together
};

// Nothing where binary64 does not do: O or L are not known well enough, a stored LSE lies far below
// the exact one, or scores are so large that their rounding spoils P.
// `forward` holds the exact O and LSE of the same Q, K and V.
[[nodiscard]] std::optional<RoundedQuery> round_query(const HeadTask& task, const KeyNorms& norms,
                                                      const Answer& forward, std::size_t r);

// Bounds of pairs and rows are larger by this than they need be, so that no sharper answer's,
// however it rounds, exceed them: error-analysis.md, Lemma 23.
inline constexpr double kPairMargin = 1 + 0x1p-36;

// n u (1 + 2^-20) with the u of binary64.
[[nodiscard]] double gamma_in_binary64(Index operations);

}  // namespace attest
