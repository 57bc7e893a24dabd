#include "properties/laws/own_answer.hpp"

#include <algorithm>
#include <utility>

#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_gradients_in_binary64.hpp"
#include "properties/laws/gradients.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {

LawOutcome judge_by_own_answer(const LawContext& c, const Problem& problem, const Inputs& inputs,
                               Answer& answer, const std::string& run,
                               const std::function<void(Answer&)>& correct) {
  const Execution ran = execute(c.subject, problem, inputs, c.settings);
  if (ran.outcome.kind != RunOutcome::Kind::ran) return troubled(ran.outcome, run);
  const auto judgement = [&] {
    return judge_forward(problem, answer, c.subject.numerics(problem, c.settings.unit),
                         c.subject.semantics(), ran.outputs.o.view(), ran.outputs.lse.view(),
                         Rows::live);
  };
  Judgement judged = judgement();
  for (std::optional<Precision> rung = rung_above(answer); rung && !judged.undecided_rows.empty();
       rung = next_precision(*rung)) {
    refine_rows(problem, inputs, judged.undecided_rows, *rung, answer);
    if (correct) correct(answer);
    judged = judgement();
  }
  judged.undecided_rows.clear();  // they index another problem
  judged.open.clear();
  add_gradients_by_own_answer(c, problem, inputs, answer, ran.outputs, judged);
  LawOutcome outcome = outcome_of(std::move(judged));
  outcome.other_problem = problem != c.problem;
  return outcome;
}

void add_gradients_by_own_answer(const LawContext& c, const Problem& problem, const Inputs& inputs,
                                 const Answer& answer, const Outputs& outputs,
                                 Judgement& judgement) {
  if (problem.pass == Pass::fwd) return;
  const StoredForward stored = stored_in(outputs, c);
  const auto judged_by = [&](const BackwardAnswer& exact) {
    return judge_backward(problem, inputs, answer, exact, View::stage_wise,
                          c.subject.numerics(problem, c.settings.unit), c.subject.semantics(),
                          views_of(outputs), Rows::live);
  };
  Judgement gradients = judged_by(enclose_gradients_in_binary64(problem, inputs, answer, stored));
  for (std::optional<Precision> rung = kFirstPrecision;
       rung && gradients.verdict() == Verdict::undecided; rung = next_precision(*rung)) {
    gradients = judged_by(enclose_backward(problem, inputs, stored, *rung));
  }
  for (const OutputTensor tensor : {OutputTensor::dq, OutputTensor::dk, OutputTensor::dv}) {
    judgement.of(tensor) = std::move(gradients.of(tensor));
  }
}

bool has_live_row(const Answer& answer) {
  return std::ranges::any_of(answer.rows, [](const RowMoments& row) { return row.live_keys > 0; });
}

}  // namespace attest
