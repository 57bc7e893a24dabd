// replayed_gradients.hpp - the backward half of the law replay: gradients against the values that
// the declared schedule can produce from the stored O and LSE.
#pragma once

#include <optional>

#include "judge/replay_backward.hpp"

namespace attest {

// Nothing where the declaration leaves the schedule open (judge/backward_rule.hpp). `o` and `lse`
// are what the gradients were computed from.
// Requires: the problem's pass is bwd.
[[nodiscard]] std::optional<BackwardReplayResult> replay_gradients(
    const Problem& problem, const Inputs& inputs, const Numerics& numerics, ConstTensorView o,
    ConstTensorView lse, const Gradients& gradients);

}  // namespace attest
