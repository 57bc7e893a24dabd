// recorded_call.hpp - what a kernel was given and what it wrote, as text: for kernels that attest
// cannot call, since their caller holds the tensors already.
//
//   attest.call/1
//   problem attest1:b=1;hq=1;...;pass=fwd      as core/problem prints it
//   numerics exponent=fused;p_format=f32;...   may be left out, as the next one
//   semantics dead_o=zero;...
//   q 3c00b800...                              each tensor of the pass: bits, row-major, the
//   k ...                                      most significant digit of an element first
//
// Forward: q, k, v, o, lse. Backward: these, dout, (glse,) dq, dk, dv, with the O and LSE that it
// started from. Lines come in any order behind the first one.
#pragma once

#include <string>
#include <string_view>

#include "core/case.hpp"
#include "core/numerics.hpp"
#include "core/semantics.hpp"

namespace attest {

struct RecordedCall {
  Problem problem;
  Numerics numerics;
  Semantics semantics;
  Inputs inputs;
  Tensor o, lse;
  Tensor dq = {}, dk = {}, dv = {};  // empty unless pass=bwd
};

// Throws Error (usage) with the line and what is wrong there.
[[nodiscard]] RecordedCall read_recorded_call(std::string_view text);

// Reading it gives the same call back.
[[nodiscard]] std::string to_string(const RecordedCall& call);

}  // namespace attest
