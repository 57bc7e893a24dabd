// nonfinite.hpp - where a NaN or an infinity among the inputs leaves a law nothing to hold a
// subject to.
//
// A matrix unit multiplies whole tiles, and 0 x NaN is NaN: in most kernels one row's NaN reaches
// its neighbours. A subject that cannot rule that out is not judged where it may happen.
#pragma once

#include "core/case.hpp"
#include "core/semantics.hpp"

namespace attest {

// May an input that is no number legitimately reach rows that do not see it? Never, if the subject
// declares nonfinite=row_local; nor if no row sees one: bytes that nobody sees are containment's.
[[nodiscard]] bool may_spread(const Problem& problem, const Inputs& inputs,
                              const Semantics& semantics);

}  // namespace attest
