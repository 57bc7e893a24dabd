// two_calls: a subject keeps nothing from one call to the next. After the case it is called with
// the same shapes and values, another scale and another band, and must be right there; after that
// the case gives the same bits as before.
#include "oracle/enclose_in_binary64.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/nonfinite.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/own_answer.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {
namespace {

Problem second_problem(const Problem& first) {
  Problem second = first;
  second.scale = first.scale < 1 ? 2 * first.scale : first.scale / 2;
  const bool open = first.left == kUnlimited && first.right == kUnlimited;
  second.left = kUnlimited;
  second.right = open ? 0 : kUnlimited;
  return second;
}

Answer& answer_of(const Problem& problem, const Inputs& inputs, SharedAnswers& shared) {
  if (!shared.second_call) shared.second_call = enclose_in_binary64(problem, inputs);
  return *shared.second_call;
}

}  // namespace

LawOutcome check_two_calls(const LawContext& c) {
  const Problem second = second_problem(c.problem);
  if (!(second.scale > 0) || c.subject.unsupported(second, c.settings.unit)) {
    return not_applicable();
  }
  if (may_spread(second, c.inputs, c.subject.semantics())) return not_applicable();
  SharedAnswers own;
  Answer& answer = answer_of(second, c.inputs, c.shared != nullptr ? *c.shared : own);
  if (!has_live_row(answer)) return not_applicable();
  const std::string run = "with another scale and band";
  LawOutcome outcome = judge_by_own_answer(c, second, c.inputs, answer, run);
  outcome.setting = "called after the case " + run;
  if (!outcome.applicable || outcome.verdict != Verdict::accept) return outcome;
  const Execution again = execute(c.subject, c.problem, c.inputs, c.settings);
  const std::string then = "in a call after one " + run;
  if (again.outcome.kind != RunOutcome::Kind::ran) return troubled(again.outcome, then);
  const std::string where =
      first_difference(c.outputs, again.outputs, promised_rows(c, Schedule::same));
  return where.empty() ? outcome : rejected(where + " " + then);
}

}  // namespace attest
