// accuracy: O and LSE of every row with a live key lie within the budget of the exact answer.
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {

LawOutcome check_accuracy(const LawContext& c) {
  if (may_spread(c.problem, c.inputs, c.subject.semantics())) return not_applicable();
  const std::string unwritten = first_unwritten(c.problem, named_forward(c.outputs));
  if (!unwritten.empty()) return rejected(unwritten + " was left unwritten");
  return outcome_of(
      judge_forward(c.problem, c.answer, c.subject.numerics(c.problem, c.settings.unit),
                    c.subject.semantics(), c.outputs.o.view(), c.outputs.lse.view(), Rows::live));
}

}  // namespace attest
