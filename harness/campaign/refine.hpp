// refine.hpp - the loop that asks the oracle for more bits until a verdict stands.
#pragma once

#include <functional>
#include <optional>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"
#include "core/case.hpp"
#include "harness/cache/oracle_memory.hpp"
#include "oracle/precision.hpp"
#include "properties/law.hpp"

namespace attest {

// What the oracle says about one case.
struct Exact {
  Answer answer;
  std::optional<BackwardAnswer> gradients;  // for pass=bwd
};

// By multiprecision: sharp, and what a page or a golden shows.
[[nodiscard]] Exact enclose(const Problem& problem, const Inputs& inputs,
                            const OracleMemory& oracle = {});

// The cheapest proof: binary64, which leaves more to refine. It asks nothing that is worth keeping.
[[nodiscard]] Exact enclose_cheaply(const Problem& problem, const Inputs& inputs);

// Asks `judge_again` for an outcome, refines what it leaves undecided, and asks again: binary64,
// doubled numbers, multiprecision up to the cap, and for O and LSE exact arithmetic last. `rung` is
// how a law is to enclose gradients of its own (LawContext). `exact` keeps the sharper rows of O
// and LSE, the sharper gradients and what was decided exactly.
//
// Sound because narrowing an enclosure never overturns an accept or a reject (Lemma 1); it ends
// because the ladder does.
[[nodiscard]] LawOutcome decide(
    const Problem& problem, const Inputs& inputs, Exact& exact,
    const std::function<LawOutcome(std::optional<Precision> rung)>& judge_again,
    const OracleMemory& oracle = {});

}  // namespace attest
