// stage_accuracy: dQ, dK and dV lie within the budget of the exact gradients that follow from the O
// and LSE which the subject itself stored. What the forward did wrong is forgiven here, so the
// budget is smaller and an error is the backward's own.
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {

LawOutcome check_stage_accuracy(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  const BackwardAnswer exact =
      exact_gradients(c, c.problem, c.inputs, *c.gradients, stored_in(c.outputs, c));
  return outcome_of(judge_gradients(c, c.problem, c.inputs, exact, View::stage_wise, c.outputs));
}

}  // namespace attest
