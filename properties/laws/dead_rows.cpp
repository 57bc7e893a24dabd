// dead_rows: a row without a live key, and a row at or beyond lq, holds what the subject declares.
// "Untouched" is a promise about writes, so it is checked against the poison that stood there.
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

Outputs untouched_outputs(const Problem& problem) {
  return {poisoned(problem.out, problem.o_extents()), poisoned(Format::f32, problem.lse_extents())};
}

bool any_beyond(const Problem& problem) {
  for (Index b = 0; b < problem.batch; ++b) {
    if (problem.live_queries(b) < problem.n_q) return true;
  }
  return false;
}

}  // namespace

LawOutcome check_dead_rows(const LawContext& c) {
  const Semantics semantics = c.subject.semantics();
  if (may_spread(c.problem, c.inputs, semantics)) return not_applicable();
  LawOutcome outcome = outcome_of(
      judge_forward(c.problem, c.answer, c.subject.numerics(c.problem, c.settings.unit), semantics,
                    c.outputs.o.view(), c.outputs.lse.view(), Rows::declared));
  if (semantics.beyond_lengths != BeyondLengths::untouched || !any_beyond(c.problem)) {
    return outcome;
  }
  outcome.applicable = true;
  const std::string where =
      first_difference(untouched_outputs(c.problem), c.outputs,
                       [&](Index b, Index i) { return i >= c.problem.live_queries(b); });
  if (where.empty()) return outcome;
  return rejected(where + ", a row beyond the length that is declared untouched");
}

}  // namespace attest
