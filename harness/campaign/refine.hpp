// refine.hpp - the loop that asks the oracle for more bits until a verdict stands.
#pragma once

#include <functional>

#include "core/answer.hpp"
#include "core/case.hpp"
#include "oracle/precision.hpp"
#include "properties/law.hpp"

namespace attest {

// Asks `judge_again` for an outcome, refines the rows that it leaves undecided, and asks again, up
// the ladder to its cap. `answer` keeps the sharper rows.
//
// Sound because narrowing an enclosure never overturns an accept or a reject (Lemma 1); it ends
// because the ladder does.
[[nodiscard]] LawOutcome decide(const Problem& problem, const Inputs& inputs, Answer& answer,
                                const std::function<LawOutcome()>& judge_again);

}  // namespace attest
