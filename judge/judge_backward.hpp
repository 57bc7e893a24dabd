// judge_backward.hpp - dQ, dK and dV of one case against the oracle's answer.
//
// The judge knows neither kernel nor oracle: it takes bits, enclosures, pairs and declarations.
#pragma once

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "core/case.hpp"
#include "core/numerics.hpp"
#include "core/semantics.hpp"
#include "judge/judge_forward.hpp"

namespace attest {

// What the enclosures take as exact: see oracle/enclose_backward.hpp.
enum class View : unsigned char { end_to_end, stage_wise };

struct Gradients {
  ConstTensorView dq;  // [batch, heads_q, n_q, d_qk] in problem.out
  ConstTensorView dk;  // [batch, heads_k, n_k, d_qk]
  ConstTensorView dv;  // [batch, heads_k, n_k, d_v]
};

// `forward` is the oracle's answer on O and LSE for the same inputs: end to end, its budgets say
// how far the stored O and LSE may be off. `rows` as for the forward: live judges elements that
// some live pair reaches, declared those that none does (zero is due) and those beyond a length;
// `witness` likewise.
[[nodiscard]] Judgement judge_backward(const Problem& problem, const Inputs& inputs,
                                       const Answer& forward, const BackwardAnswer& exact,
                                       View view, const Numerics& numerics,
                                       const Semantics& semantics, const Gradients& gradients,
                                       Rows rows, const ElementWitness& witness = {});

}  // namespace attest
