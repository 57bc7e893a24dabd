#include "properties/laws/replayed_gradients.hpp"

#include "judge/replay_backward.hpp"
#include "oracle/enclose_head_gradients.hpp"
#include "oracle/enclose_scores.hpp"

namespace attest {

void replay_gradients(const Problem& p, const Inputs& inputs, const Numerics& numerics,
                      const StoredGradients& stored, const PairsOfCase& pairs,
                      Judgement& judgement) {
  const std::optional<BackwardRule> rule = backward_rule(p, numerics);
  if (!rule) return;
  BackwardReplay replay(p, inputs, *rule, stored.lse, stored.gradients, judgement);
  const Index group = p.heads_q / p.heads_k;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index key_head = 0; key_head < p.heads_k; ++key_head) {
      replay.enter_group(b, key_head);
      for (Index h = key_head * group; h < (key_head + 1) * group; ++h) {
        const std::vector<RowDot> dout_o = enclose_row_dots(p, inputs, stored.o, b, h);
        replay.add_head(h, {pairs.scores(b, h), pairs.dp(b, h), dout_o});
      }
      replay.leave_group();
    }
  }
}

void replay_gradients(const Problem& p, const Inputs& inputs, const Numerics& numerics,
                      const StoredGradients& stored, Judgement& judgement) {
  HeadScores scores;
  HeadScores dp;
  const auto scores_of = [&](Index b, Index h) -> const HeadScores& {
    return scores = enclose_scores(p, inputs, b, h);
  };
  const auto dp_of = [&](Index b, Index h) -> const HeadScores& {
    return dp = enclose_dp(p, inputs, b, h);
  };
  replay_gradients(p, inputs, numerics, stored, {scores_of, dp_of}, judgement);
}

}  // namespace attest
