// own_answer.hpp - for laws that judge a problem other than the case's: the loop that asks the
// oracle for more bits knows the case alone, so they climb the ladder themselves.
#pragma once

#include <functional>

#include "properties/law.hpp"

namespace attest {

// Runs the subject on the problem and judges its rows with a live key by `answer`, which is refined
// where that leaves an element undecided; `correct` is then called on it, if it is given. For
// pass=bwd gradients are judged, too, from what was stored. `run` says which run this is: "with one
// key a row".
// Requires: the subject supports the problem; the answer is of these inputs.
[[nodiscard]] LawOutcome judge_by_own_answer(const LawContext& context, const Problem& problem,
                                             const Inputs& inputs, Answer& answer,
                                             const std::string& run,
                                             const std::function<void(Answer&)>& correct = {});

// Adds to `judgement` the gradients of such a run, stage by stage; nothing for pass=fwd. `answer`
// holds enclosures of O and LSE of these inputs.
void add_gradients_by_own_answer(const LawContext& context, const Problem& problem,
                                 const Inputs& inputs, const Answer& answer, const Outputs& outputs,
                                 Judgement& judgement);

// Is there a row with a live key?
[[nodiscard]] bool has_live_row(const Answer& answer);

}  // namespace attest
