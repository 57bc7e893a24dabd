// replayed_gradients.hpp - the backward half of the law replay: gradients against the values that
// the declared schedule can produce from the stored O and LSE.
#pragma once

#include <functional>

#include "core/head_scores.hpp"
#include "judge/judge_backward.hpp"

namespace attest {

// Of query head h of batch entry b, the rows from `first` on, as many as come at once; good until
// the next call.
using HeadScoresOf = std::function<const HeadScores&(Index b, Index h, Index first)>;

// What a case has for everybody, in the same blocks of rows.
struct PairsOfCase {
  HeadScoresOf scores;
  HeadScoresOf dp;
};

// What one subject left.
struct GradientsToReplay {
  ConstTensorView o;  // o and lse: what the gradients were computed from
  ConstTensorView lse;
  Gradients gradients;
};

// Adds the elements to `judgement`; none where the declaration leaves the schedule open
// (judge/backward_rule.hpp). Requires: the problem's pass is bwd.
void replay_gradients(const Problem& problem, const Inputs& inputs, const Numerics& numerics,
                      const GradientsToReplay& stored, const PairsOfCase& pairs,
                      Judgement& judgement);

// The same with pairs of its own.
void replay_gradients(const Problem& problem, const Inputs& inputs, const Numerics& numerics,
                      const GradientsToReplay& stored, Judgement& judgement);

}  // namespace attest
