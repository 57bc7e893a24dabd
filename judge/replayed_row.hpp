// replayed_row.hpp - the weights and score gradients of one query row as they enter the products of
// a declared backward.
//
// error-analysis.md, Lemma 38 (D) and error-analysis.md, Lemma 39 (dS).
#pragma once

#include <span>
#include <vector>

#include "core/row_dot.hpp"
#include "judge/backward_rule.hpp"
#include "judge/unit_dots.hpp"

namespace attest {

struct ReplayedPair {
  bool weight_known = false;  // in range: `p` holds what enters dV
  bool known = false;         // so is all of the pair: `ds` holds what enters dQ and dK
  RoundedSet p;
  RoundedSet ds;
  Range32 weight;  // before it was rounded
  Range32 dp;
};

// What came in for a row, and what a forward left of it.
struct StoredRow {
  std::span<const double> q;
  std::span<const double> dout;
  RowDot dout_o;
  float lse = 0;
  float glse = 0;
  bool has_glse = false;
  double sum_abs_dout = 0;
};

// K and V of a key head as a unit multiplies by them; null where that is not known.
struct UnitOperands {
  const UnitDots* keys = nullptr;
  const UnitDots* values = nullptr;
};

class ReplayedRow {
 public:
  // The arguments outlive it. `dp` is of dout and v in place of q and k.
  ReplayedRow(const Problem& problem, const BackwardRule& rule, const HeadScores& scores,
              const HeadScores& dp, const UnitOperands& unit = {})
      : problem_(problem),
        rule_(rule),
        scores_(scores),
        unit_(unit),
        score_of_(rule.arithmetic.shared, scores, problem.d_qk),
        dp_of_(rule.arithmetic.shared, dp, problem.d_v) {}

  // The pairs of row i's live keys, in order, until the next call.
  [[nodiscard]] const std::vector<ReplayedPair>& pairs(Index i, const StoredRow& stored);

 private:
  void weigh(Index i, const StoredRow& stored);
  [[nodiscard]] Range32 d_of(const StoredRow& stored) const;
  [[nodiscard]] Range32 d_from_o(const StoredRow& stored) const;
  template <class WeightOf>
  [[nodiscard]] Range32 d_from_p(WeightOf weight_of) const;
  void add_gradient(ReplayedPair& pair, const Range32& d) const;

  const Problem& problem_;
  const BackwardRule& rule_;
  const HeadScores& scores_;
  UnitOperands unit_;
  ReplayedDots score_of_;
  ReplayedDots dp_of_;
  std::vector<ReplayedPair> pairs_;
};

}  // namespace attest
