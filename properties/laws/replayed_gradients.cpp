#include "properties/laws/replayed_gradients.hpp"

#include "judge/replay_backward.hpp"
#include "oracle/enclose_head_gradients.hpp"
#include "oracle/enclose_scores.hpp"

namespace attest {

void replay_gradients(const Problem& p, const Inputs& inputs, const Numerics& numerics,
                      const GradientsToReplay& stored, const PairsOfCase& pairs,
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
        replay.enter_head(h, dout_o);
        for (Index first = 0; first < p.n_q;) {
          const HeadScores& scores = pairs.scores(b, h, first);
          replay.add_rows(scores, pairs.dp(b, h, first));
          first = scores.block.end;
        }
        replay.leave_head();
      }
      replay.leave_group();
    }
  }
}

void replay_gradients(const Problem& p, const Inputs& inputs, const Numerics& numerics,
                      const GradientsToReplay& stored, Judgement& judgement) {
  HeadScores scores;
  HeadScores dp;
  const auto scores_of = [&](Index b, Index h, Index) -> const HeadScores& {
    return scores = enclose_scores(p, inputs, b, h);
  };
  const auto dp_of = [&](Index b, Index h, Index) -> const HeadScores& {
    return dp = enclose_dp(p, inputs, b, h);
  };
  replay_gradients(p, inputs, numerics, stored, {scores_of, dp_of}, judgement);
}

}  // namespace attest
