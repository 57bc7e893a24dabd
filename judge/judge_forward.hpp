// judge_forward.hpp - O and LSE of one case against the oracle's answer: a verdict per element,
// folded into what a report needs.
//
// The judge knows neither kernel nor oracle: it takes bits, enclosures, moments and declarations.
#pragma once

#include "core/answer.hpp"
#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "core/semantics.hpp"
#include "core/tensor.hpp"
#include "judge/judgement.hpp"

namespace attest {

// Which rows to judge: those with a live key, or those whose value is a matter of declaration
// (dead rows and rows at or beyond lq).
enum class Rows : unsigned char { live, declared };

// A witness costs time: the terms of a budget are else worked out for the worst elements only.
// Requires: o is [batch, heads_q, n_q, d_v] in problem.out; lse [batch, heads_q, n_q, 1].
[[nodiscard]] Judgement judge_forward(const Problem& problem, const Answer& answer,
                                      const Numerics& numerics, const Semantics& semantics,
                                      ConstTensorView o, ConstTensorView lse, Rows rows,
                                      const ElementWitness& witness = {});

}  // namespace attest
