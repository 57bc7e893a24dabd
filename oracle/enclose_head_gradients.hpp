// enclose_head_gradients.hpp - dO.v of every live pair of one query head, and dO.o of its rows, in
// binary64 with a proved radius.
//
// error-analysis.md, Lemma 32.
#pragma once

#include "core/case.hpp"
#include "core/head_gradients.hpp"
#include "core/tensor.hpp"

namespace attest {

// `o` is what a forward stored. Not known are pairs with an infinity or a NaN in dO or in v of a
// live key, and everything of inputs in f64. Memory and time as of enclose_scores.
// Requires: problem.pass is bwd.
[[nodiscard]] HeadGradients enclose_head_gradients(const Problem& problem, const Inputs& inputs,
                                                   ConstTensorView o, Index b, Index h);

}  // namespace attest
