#include "properties/laws/replayed_gradients.hpp"

#include "oracle/enclose_head_gradients.hpp"
#include "oracle/enclose_scores.hpp"

namespace attest {

std::optional<BackwardReplayResult> replay_gradients(const Problem& p, const Inputs& inputs,
                                                     const Numerics& numerics, ConstTensorView o,
                                                     ConstTensorView lse,
                                                     const Gradients& gradients) {
  const std::optional<BackwardRule> rule = backward_rule(p, numerics);
  if (!rule) return std::nullopt;
  BackwardReplay replay(p, inputs, *rule, lse, gradients);
  const Index group = p.heads_q / p.heads_k;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index key_head = 0; key_head < p.heads_k; ++key_head) {
      replay.enter_group(b, key_head);
      for (Index h = key_head * group; h < (key_head + 1) * group; ++h) {
        replay.add_head(h, enclose_scores(p, inputs, b, h),
                        enclose_head_gradients(p, inputs, o, b, h));
      }
      replay.leave_group();
    }
  }
  return replay.result();
}

}  // namespace attest
