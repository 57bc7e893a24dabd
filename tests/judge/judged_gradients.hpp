// judged_gradients.hpp - one backward by the scalar emulation, answered by the oracle, judged in
// both views and replayed: what the tests of gradients share.
#pragma once

#include <string>
#include <string_view>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "judge/judge_backward.hpp"
#include "tests/judge/scalar_backward.hpp"

namespace attest {

// Every field known, and each as exact as a scalar kernel can be; `changes` as for changed().
[[nodiscard]] Numerics exact_backward(std::string_view changes = "");

// Numbers for a forward: the exact ones, off by a share of their own budgets. With `aligned` every
// O_ik is off in the direction of dO_ik, which D feels most; else signs alternate.
struct ForwardOff {
  double o = 0;
  double lse = 0;
  bool aligned = true;
  double lse_shift = 0;  // on top: then only the stage is judged
};
[[nodiscard]] ForwardResult forward_of(const Problem& problem, const Inputs& inputs,
                                       const Answer& answer, const Numerics& numerics,
                                       const ForwardOff& off = {});

struct BackwardRun {
  Problem p;
  Inputs inputs;
  Numerics how;
  Exp2Error exp2_error = Exp2Error::none;
  ForwardOff off;
};

struct JudgedGradients {
  ForwardResult forward;
  ScalarGradients gradients;
  Judgement end_to_end;
  Judgement stage_wise;
  Judgement replay;  // empty where the declaration cannot be replayed
};

[[nodiscard]] JudgedGradients judge_scalar(const BackwardRun& run);

// Against another declaration than the one that was computed.
[[nodiscard]] Judgement judge_as(const BackwardRun& run, const Answer& answer,
                                 const ForwardResult& forward, const ScalarGradients& gradients,
                                 View view, const Numerics& declared);

[[nodiscard]] std::string describe(const BackwardRun& run, const Judgement& judgement);

}  // namespace attest
