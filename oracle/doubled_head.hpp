// doubled_head.hpp - the gradients of one key head in doubled numbers: the first rung of the
// ladder that solve_head.hpp climbs.
#pragma once

#include "oracle/gradient_classes.hpp"

namespace attest {

// Writes values and rows as solve_head does. False where doubled numbers do not do, for any row of
// the group: inputs in f64, weights that would not be sharp, a stored LSE that is far off. What
// was written until then means nothing.
[[nodiscard]] bool try_head_in_doubled(const HeadTask& task, BackwardAnswer& answer);

}  // namespace attest
