// gradient_cases.hpp - the drawn cases with what a backward needs besides: dO, gL, and an O and LSE
// that some subject may have stored.
#pragma once

#include "oracle/enclose_backward.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest {

struct DrawnGradients {
  Problem problem;
  ValueKind kind;
  Inputs inputs;
  Tensor o;
  Tensor lse;
};

// Case `index` of draw_oracle_case. Rows of dO are zero here and there, its values vary over many
// binades in some cases, V is nearly constant in others (dP - D cancels). Stored rows are O and LSE
// rounded, with an error in LSE that now and then is large.
[[nodiscard]] DrawnGradients draw_gradient_case(std::uint64_t index);

[[nodiscard]] StoredForward stored_of(const DrawnGradients& drawn, bool d_from_p);

}  // namespace attest
