#include "harness/campaign/refine.hpp"

#include <algorithm>

#include "oracle/decide_exactly.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"

namespace attest {
namespace {

bool has_undecided_gradients(const Judgement& judgement) {
  return judgement.dq.undecided + judgement.dk.undecided + judgement.dv.undecided > 0;
}

// The rung above the one that gave most to do: rows are loose, doubled or multiprecision.
std::optional<Precision> rung_above(const Answer& answer) {
  const auto any = [&](int bits) {
    return std::ranges::find(answer.bits, bits) != answer.bits.end();
  };
  if (any(kLooseBits)) return kFirstPrecision;
  return next_precision(any(kDoubledBits) ? kFirstPrecision : kFirstMultiprecision);
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

}  // namespace

Exact enclose(const Problem& problem, const Inputs& inputs) {
  Exact exact{enclose_forward(problem, inputs), std::nullopt};
  if (problem.pass == Pass::bwd) exact.gradients = enclose_backward(problem, inputs);
  return exact;
}

Exact enclose_cheaply(const Problem& problem, const Inputs& inputs) {
  if (problem.pass == Pass::fwd) return {enclose_in_binary64(problem, inputs), std::nullopt};
  return {enclose_forward(problem, inputs, kFirstPrecision),
          enclose_backward(problem, inputs, std::nullopt, kFirstPrecision)};
}

LawOutcome decide(const Problem& problem, const Inputs& inputs, Exact& exact,
                  const std::function<LawOutcome(std::optional<Precision>)>& judge_again) {
  LawOutcome outcome = judge_again(std::nullopt);
  std::optional<Precision> forward_rung = rung_above(exact.answer);
  std::optional<Precision> backward_rung = kFirstPrecision;  // the first answers are binary64
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
      refine_rows(problem, inputs, rows, *forward_rung, exact.answer);
      forward_rung = next_precision(*forward_rung);
    }
    if (more_gradients) {
      rung = backward_rung;
      if (*rung != kFirstPrecision) {
        exact.gradients = enclose_backward(problem, inputs, std::nullopt, *rung);
      }
      backward_rung = next_precision(*rung);
    }
    outcome = judge_again(rung);
  }
  return outcome;
}

}  // namespace attest
