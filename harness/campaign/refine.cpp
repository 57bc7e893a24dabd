#include "harness/campaign/refine.hpp"

#include "oracle/enclose_forward.hpp"

namespace attest {

LawOutcome decide(const Problem& problem, const Inputs& inputs, Answer& answer,
                  const std::function<LawOutcome()>& judge_again) {
  LawOutcome outcome = judge_again();
  std::optional<Precision> rung = next_precision(kFirstPrecision);
  while (outcome.verdict == Verdict::undecided && rung && outcome.judgement &&
         !outcome.judgement->undecided_rows.empty()) {
    refine_rows(problem, inputs, outcome.judgement->undecided_rows, *rung, answer);
    outcome = judge_again();
    rung = next_precision(*rung);
  }
  return outcome;
}

}  // namespace attest
