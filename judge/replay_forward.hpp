// replay_forward.hpp - may O be what the declared schedule computes from these inputs?
//
// From the weights of a row follows what the division leaves, up to what accumulation, row sum,
// division and the few unknown weights can change; and from that the values that the store may have
// kept: error-analysis.md, Theorem 21. Usually there are one or two, and O has to be one of them.
// The budget of Theorem 5 allows as much as the rounding of every weight by itself.
#pragma once

#include "core/answer.hpp"
#include "core/case.hpp"
#include "core/head_scores.hpp"
#include "core/problem.hpp"
#include "core/tensor.hpp"
#include "judge/judgement.hpp"
#include "judge/replay_rules.hpp"

namespace attest {

struct ForwardReplay {
  const Problem& problem;
  const Answer& answer;  // which elements are finite, and their budgets
  const ReplayRules& rules;
  const Inputs& inputs;
  ConstTensorView o;
};

// The elements of some rows of query head h of batch entry b, those of `scores`. Counted as left,
// and not judged, are those of which a range condition is violated (no finite budget exists) or a
// weight is too uncertain, and those that are not finite.
void replay_o(const ForwardReplay& replay, Index b, Index h, const HeadScores& scores,
              TensorJudgement& result);

}  // namespace attest
