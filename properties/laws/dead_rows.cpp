// dead_rows: a row without a live key, and a row at or beyond lq, holds what the subject declares.
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {

LawOutcome check_dead_rows(const LawContext& c) {
  return outcome_of(judge_forward(
      c.problem, c.answer, c.subject.numerics(c.problem, c.settings.unit), c.subject.semantics(),
      c.outputs.o.view(), c.outputs.lse.view(), Rows::declared));
}

}  // namespace attest
