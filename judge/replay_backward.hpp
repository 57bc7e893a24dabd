// replay_backward.hpp - dQ, dK and dV against the values that the declared backward can produce
// from the stored O and LSE: usually one or two.
//
// A budget adds up the worst of every step. A replay follows the declared schedule and knows most
// of what was rounded to 16 bits exactly, so that little is left open. What it cannot know, for a
// range or because an input is not finite, it leaves to the budget.
//
// error-analysis.md, Theorem 22.
#pragma once

#include <optional>
#include <vector>

#include "core/case.hpp"
#include "judge/backward_rule.hpp"
#include "judge/judge_backward.hpp"
#include "judge/replayed_row.hpp"
#include "judge/replayed_sums.hpp"

namespace attest {

// One case: groups of query heads that share a key head, one after the other, head by head.
class BackwardReplay {
 public:
  // The arguments outlive it. `lse` is what the forward stored. Elements are counted in `result` as
  // they become due; those that no live pair reaches never are.
  BackwardReplay(const Problem& problem, const Inputs& inputs, const BackwardRule& rule,
                 ConstTensorView lse, const Gradients& gradients, Judgement& result);

  void enter_group(Index b, Index key_head);
  // Of the group, in ascending order. `dout_o`: per query row, of the stored O; until leave_head.
  void enter_head(Index h, const std::vector<RowDot>& dout_o);
  // Some of the head's rows, in ascending order; `dp`: dO.v in place of q.k. Requires: the same
  // rows of both.
  void add_rows(const HeadScores& scores, const HeadScores& dp);
  void leave_head();
  void leave_group();

 private:
  struct Head {
    Index h;
    const std::vector<RowDot>& dout_o;
    OperandRows q;
    OperandRows dout;
  };

  // What was computed of one of dK and dV.
  struct KeySide {
    OutputTensor tensor;
    Index columns;
    ReplayedSums sums;   // of the group; where heads are stored apart, of the head
    ReplayedSums heads;  // these, added up
  };

  void add_row(Index i, const RowScores& live, bool known, ReplayedRow& row);
  void lose_row(const RowScores& row);
  void add_pair(Index i, Index j, const ReplayedPair& pair);
  [[nodiscard]] std::optional<StoredRow> stored_row(Index i) const;
  void judge_query(Index h, Index i);
  void fold_head(KeySide& side);
  void judge_keys(KeySide& side);
  [[nodiscard]] Range32 value_of(KeySide& side, Index j, Index column) const;
  void judge_element(OutputTensor tensor, Index h, Index row, Index column, const Range32& value);

  const Problem& problem_;
  const Inputs& inputs_;
  const BackwardRule& rule_;
  ConstTensorView lse_;
  const Gradients& gradients_;
  double p_floor_;
  double ds_floor_;
  Index b_ = 0;
  Index key_head_ = 0;
  std::optional<Head> head_;
  std::optional<OperandRows> k_;
  std::optional<UnitDots> unit_keys_;  // where the rule knows the unit's dot products
  std::optional<UnitDots> unit_values_;
  ReplayedSums dq_;  // of one row
  KeySide dk_;
  KeySide dv_;
  Judgement& result_;
};

}  // namespace attest
