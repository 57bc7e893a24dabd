// gradient_accuracy: dQ, dK and dV lie within the budget of the gradients of the exact O and LSE.
// The budget holds what the rounding of the stored O and LSE does to them: the error that a user
// has to live with.
#include "properties/laws/gradients.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {

LawOutcome check_gradient_accuracy(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  const std::string unwritten = first_unwritten(c.problem, named_gradients(c.outputs));
  if (!unwritten.empty()) return rejected(unwritten + " was left unwritten");
  return outcome_of(
      judge_gradients(c, c.problem, c.inputs, *c.gradients, View::end_to_end, c.outputs));
}

}  // namespace attest
