// solve_head.hpp - the gradients of one key head, at the lowest rung of the ladder that settles all
// rows of its group.
//
// dK and dV add up over rows, so the rows of a group climb together: one accumulator, one
// precision.
#pragma once

#include "oracle/gradient_classes.hpp"
#include "oracle/precision.hpp"

namespace attest {

// Writes values and rows at `precision` or above, and returns the working precision in bits.
// Classes are not touched; values of elements that are not finite mean nothing.
int solve_head(const HeadTask& task, Precision precision, BackwardAnswer& answer);

}  // namespace attest
