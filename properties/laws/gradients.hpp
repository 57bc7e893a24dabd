// gradients.hpp - what the laws of the backward pass share: exact gradients of inputs that a law
// has changed, and their judging.
#pragma once

#include <optional>

#include "judge/judge_backward.hpp"
#include "oracle/enclose_backward.hpp"
#include "properties/law.hpp"

namespace attest {

[[nodiscard]] Gradients views_of(const Outputs& outputs);

// The O and LSE of `outputs` as what the stage-wise view takes for exact, D as the subject declares
// to compute it.
[[nodiscard]] StoredForward stored_in(const Outputs& outputs, const LawContext& c);

// The exact gradients of `inputs`, end to end or from what is stored: by binary64 from `weights`,
// an end-to-end answer for the same Q and K; by blocks of binary64 where the case's own gradients
// are loose, for inputs that leave O and LSE what they are; or by multiprecision if the context
// asks for it.
[[nodiscard]] BackwardAnswer exact_gradients(const LawContext& c, const Problem& problem,
                                             const Inputs& inputs, const BackwardAnswer& weights,
                                             const std::optional<StoredForward>& stored);

// Verdicts on the gradients alone, live elements.
[[nodiscard]] Judgement judge_gradients(const LawContext& c, const Problem& problem,
                                        const Inputs& inputs, const BackwardAnswer& exact,
                                        View view, const Outputs& outputs);

// Every element of dO, and of gL, times `factor`, rounded: exact for powers of two in range.
[[nodiscard]] Inputs with_scaled_gradients(const Inputs& inputs, double factor);

}  // namespace attest
