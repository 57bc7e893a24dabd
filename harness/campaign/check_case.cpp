#include "harness/campaign/check_case.hpp"

#include <algorithm>

#include "harness/campaign/refine.hpp"
#include "oracle/enclose_forward.hpp"

namespace attest {
namespace {

// A declared convention under which the subject cannot be judged yet, in a sentence.
std::optional<std::string> unjudged(const Problem& problem, const Semantics& semantics) {
  if (semantics.lse_base == LseBase::two) return "an LSE in base 2 is not judged yet";
  if (!semantics.lse_scaled) return "an LSE of unscaled scores is not judged yet";
  if (semantics.window == WindowEdge::exclusive) return "an exclusive window is not judged yet";
  const bool aligned =
      problem.align == Align::top_left ? semantics.align_top_left : semantics.align_bottom_right;
  if (!aligned) return "the subject declares no such alignment";
  return std::nullopt;
}

// The unit of this case, or why no offered unit will do.
void choose_unit(const Problem& problem, const UnitChoice& choice, SubjectResult& result) {
  std::vector<Unit> supported;
  for (const Unit unit : choice.units) {
    if (const auto reason = result.subject->unsupported(problem, unit)) {
      if (!result.unsupported) result.unsupported = reason;  // the first unit offered speaks
    } else {
      supported.push_back(unit);
    }
  }
  if (supported.empty()) return;
  result.unsupported = unjudged(problem, result.subject->semantics());
  result.unit = supported[choice.turn % supported.size()];
}

SubjectResult check_subject(const Case& c, const Inputs& inputs, Answer& answer,
                            const Subject& subject, std::span<const Law* const> laws,
                            const UnitChoice& units) {
  SubjectResult result;
  result.subject = &subject;
  choose_unit(c.problem, units, result);
  if (result.unsupported) return result;
  const RunSettings settings{result.unit, units.turn};
  const Execution run = execute(subject, c.problem, inputs, settings);
  result.trouble = run.outcome;
  if (run.outcome.kind != RunOutcome::Kind::ran) return result;
  const LawContext context{c.problem, inputs, answer, subject, settings, run.outputs};
  for (const Law* law : laws) {
    LawOutcome outcome = decide(c.problem, inputs, answer, [&] { return law->check(context); });
    if (!outcome.applicable) continue;
    if (outcome.trouble.kind != RunOutcome::Kind::ran) result.trouble = outcome.trouble;
    result.laws.push_back({law, std::move(outcome)});
  }
  return result;
}

}  // namespace

std::vector<const Law*> every_law() {
  std::vector<const Law*> all;
  for (const Law& law : laws()) all.push_back(&law);
  return all;
}

std::vector<Unit> emulated_units() {
  std::vector<Unit> units;
  for (const Unit unit : kUnits) {
    if (unit != Unit::device) units.push_back(unit);
  }
  return units;
}

CaseResult check_case(const Case& c, const Inputs& inputs, std::span<const Subject* const> subjects,
                      std::span<const Law* const> laws, const UnitChoice& units) {
  return check_case(c, inputs, enclose_forward(c.problem, inputs), subjects, laws, units);
}

CaseResult check_case(const Case& c, const Inputs& inputs, Answer answer,
                      std::span<const Subject* const> subjects, std::span<const Law* const> laws,
                      const UnitChoice& units) {
  CaseResult result;
  result.c = c;
  for (const Subject* subject : subjects) {
    result.subjects.push_back(check_subject(c, inputs, answer, *subject, laws, units));
  }
  if (!answer.bits.empty()) result.bits = std::ranges::max(answer.bits);
  return result;
}

Verdict verdict_of(const SubjectResult& result) {
  if (result.trouble.kind != RunOutcome::Kind::ran) return Verdict::reject;
  Verdict verdict = Verdict::accept;
  for (const LawResult& law : result.laws) verdict = worse(verdict, law.outcome.verdict);
  return verdict;
}

}  // namespace attest
