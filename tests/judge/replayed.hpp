// replayed.hpp - one run of a subject and its O judged by replay: what the tests of the replay
// share.
#pragma once

#include "judge/replay_forward.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_scores.hpp"
#include "properties/execution.hpp"

namespace attest {

inline TensorJudgement replay_of(const Problem& p, const Inputs& inputs, const Answer& answer,
                                 const Numerics& declared, const Tensor& o) {
  TensorJudgement result;
  const ReplayRules rules = replay_rules(declared, p);
  const ForwardReplay replay{p, answer, rules, inputs, o.view()};
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      replay_o(replay, b, h, enclose_scores(p, inputs, b, h), result);
    }
  }
  return result;
}

inline TensorJudgement replay_run(const Subject& subject, const Problem& p, const Inputs& inputs,
                                  Unit unit) {
  const Execution run = execute(subject, p, inputs, {unit});
  ATTEST_EXPECTS(run.outcome.kind == RunOutcome::Kind::ran);
  return replay_of(p, inputs, enclose_forward(p, inputs), subject.numerics(p, unit), run.outputs.o);
}

inline double single_share(const TensorJudgement& tensor) {
  return static_cast<double>(tensor.single) / static_cast<double>(tensor.judged);
}

}  // namespace attest
