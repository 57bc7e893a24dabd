// companion.hpp - attention as an array library computes it in 16 bits, operation by operation.
//
// K times the scale is stored, S is stored, softmax is binary32 and P is stored, all in the inputs'
// format; products add up in binary32. Rules in use compare a kernel's error with this one's.
#pragma once

#include <vector>

#include "core/case.hpp"

namespace attest {

// O, element by element in the order of Answer; 0 in rows without a live key.
[[nodiscard]] std::vector<double> companion_output(const Problem& problem, const Inputs& inputs);

}  // namespace attest
