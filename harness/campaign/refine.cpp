#include "harness/campaign/refine.hpp"

#include <algorithm>

#include "oracle/decide_exactly.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_gradients_in_binary64.hpp"
#include "oracle/enclose_in_binary64.hpp"

namespace attest {
namespace {

bool has_undecided_gradients(const Judgement& judgement) {
  return judgement.dq.undecided + judgement.dk.undecided + judgement.dv.undecided > 0;
}

// Answers what the last rung left open, in exact arithmetic. False where nothing new is known.
bool decide_open(const Problem& problem, const Inputs& inputs, const Judgement& judgement,
                 Answer& answer) {
  bool any = false;
  for (const OpenElement& open : judgement.open) {
    const auto d_v = static_cast<std::size_t>(problem.d_v);
    const std::size_t row = open.of_lse ? open.at : open.at / d_v;
    const auto column =
        open.of_lse ? std::nullopt : std::optional(static_cast<Index>(open.at % d_v));
    const auto within = is_within(problem, inputs, row, column, open.observed, open.budget);
    if (!within) continue;
    answer.decisions.push_back({open.of_lse, open.at, open.observed, open.budget, *within});
    any = true;
  }
  return any;
}

// All loose rows of O and LSE, and the gradients whose budgets they are part of.
void sharpen(const Problem& problem, const Inputs& inputs, const OracleMemory& oracle,
             Exact& exact) {
  std::vector<std::size_t> loose;
  for (std::size_t row = 0; row < exact.answer.bits.size(); ++row) {
    if (exact.answer.is_loose(row)) loose.push_back(row);
  }
  oracle.refine_rows(problem, inputs, loose, kFirstPrecision, exact.answer);
  exact.gradients = oracle.enclose_backward(problem, inputs, kFirstPrecision);
}

}  // namespace

Exact enclose(const Problem& problem, const Inputs& inputs, const OracleMemory& oracle) {
  Exact exact{oracle.enclose_forward(problem, inputs), std::nullopt};
  if (problem.pass == Pass::bwd) exact.gradients = oracle.enclose_backward(problem, inputs);
  return exact;
}

Exact enclose_cheaply(const Problem& problem, const Inputs& inputs) {
  Exact exact{enclose_in_binary64(problem, inputs), std::nullopt};
  if (problem.pass == Pass::bwd) {
    exact.gradients = enclose_gradients_in_binary64(problem, inputs, exact.answer);
  }
  return exact;
}

LawOutcome decide(const Problem& problem, const Inputs& inputs, Exact& exact,
                  const std::function<LawOutcome(std::optional<Precision>)>& judge_again,
                  const OracleMemory& oracle) {
  LawOutcome outcome = judge_again(std::nullopt);
  std::optional<Precision> forward_rung = rung_above(exact.answer);
  std::optional<Precision> backward_rung = kFirstPrecision;  // laws' own answers are binary64 first
  std::optional<Precision> rung;
  bool decided_exactly = false;
  while (outcome.verdict == Verdict::undecided && outcome.judgement) {
    const std::vector<std::size_t>& rows = outcome.judgement->undecided_rows;
    const bool more_rows = !rows.empty() && forward_rung;
    const bool more_gradients = has_undecided_gradients(*outcome.judgement) && backward_rung;
    if (!more_rows && !more_gradients) {
      if (decided_exactly || !decide_open(problem, inputs, *outcome.judgement, exact.answer)) break;
      decided_exactly = true;
    }
    if (more_rows) {
      oracle.refine_rows(problem, inputs, rows, *forward_rung, exact.answer);
      forward_rung = next_precision(*forward_rung);
    }
    if (more_gradients && exact.gradients && exact.gradients->is_loose()) {
      sharpen(problem, inputs, oracle, exact);
    } else if (more_gradients) {
      rung = backward_rung;
      if (*rung != kFirstPrecision) {
        exact.gradients = oracle.enclose_backward(problem, inputs, *rung);
      }
      backward_rung = next_precision(*rung);
    }
    outcome = judge_again(rung);
  }
  return outcome;
}

}  // namespace attest
