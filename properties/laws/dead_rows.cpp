// dead_rows: a row without a live key, and a row at or beyond lq, holds what the subject declares;
// gradients that no live pair reaches are 0.
// "Untouched" is a promise about writes, so it is checked against the poison that stood there.
#include "properties/laws/difference.hpp"
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

bool any_beyond(const Problem& problem) {
  for (Index b = 0; b < problem.batch; ++b) {
    if (problem.live_queries(b) < problem.n_q) return true;
    if (problem.pass == Pass::bwd && problem.live_keys(b) < problem.n_k) return true;
  }
  return false;
}

}  // namespace

LawOutcome check_dead_rows(const LawContext& c) {
  const Semantics semantics = c.subject.semantics();
  if (may_spread(c.problem, c.inputs, semantics)) return not_applicable();
  const Numerics numerics = c.subject.numerics(c.problem, c.settings.unit);
  Judgement judgement = judge_forward(c.problem, c.answer, numerics, semantics, c.outputs.o.view(),
                                      c.outputs.lse.view(), Rows::declared);
  if (c.gradients != nullptr) {
    Judgement of_gradients =
        judge_backward(c.problem, c.inputs, c.answer, *c.gradients, View::end_to_end, numerics,
                       semantics, views_of(c.outputs), Rows::declared);
    judgement.dq = std::move(of_gradients.dq);
    judgement.dk = std::move(of_gradients.dk);
    judgement.dv = std::move(of_gradients.dv);
  }
  LawOutcome outcome = outcome_of(std::move(judgement));
  if (semantics.beyond_lengths != BeyondLengths::untouched || !any_beyond(c.problem)) {
    return outcome;
  }
  outcome.applicable = true;
  const std::string where = first_difference(
      poisoned_outputs(c.problem), c.outputs, [&](const NamedOutput& output, Index b, Index row) {
        return row >= (output.by_keys ? c.problem.live_keys(b) : c.problem.live_queries(b));
      });
  if (where.empty()) return outcome;
  return rejected(where + ", a row beyond the length that is declared untouched");
}

}  // namespace attest
