// scalar_backward.hpp - a backward in scalar arithmetic that does what a declaration says, whatever
// it says: the correct kernel that budgets of gradients must never reject.
//
// Written from docs/error-analysis.md, section 8, alone; shares no line with any kernel.
#pragma once

#include "core/case.hpp"
#include "core/numerics.hpp"

namespace attest {

struct ForwardResult {
  Tensor o;      // as stored
  Tensor f32_o;  // before its rounding to the output's format
  Tensor lse;
};

struct ScalarGradients {
  Tensor dq;
  Tensor dk;
  Tensor dv;
};

// How exp2 uses the error that it declares, beyond its rounding.
enum class Exp2Error { none, up, down, mixed };

// Requires: every field of `how` that a backward has is known; its unit is not `device`.
[[nodiscard]] ScalarGradients scalar_backward(const Problem& problem, const Inputs& inputs,
                                              const ForwardResult& forward, const Numerics& how,
                                              Exp2Error exp2_error = Exp2Error::none);

}  // namespace attest
