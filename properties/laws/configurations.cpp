// configurations: whichever of its other ways a subject takes, parts of the keys, tiles or
// schedules, its outputs lie within the budget that it declares for that way, dead rows hold what
// it declares, and where the declaration says every step, they are values that these steps can
// give.
//
// No two configurations have to agree in their bits. Other tiles are other code, and even where a
// row lies in one part alone, exp2(0) = 1 and log(1) = 0 are no part of a declaration. Where one
// fixes the bits, replay asks for them.
#include <algorithm>
#include <utility>
#include <vector>

#include "properties/laws/configured_subject.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"

namespace attest {
namespace {

std::vector<std::string> chosen(const LawContext& c) {
  std::vector<std::string> offered = c.subject.configurations(c.problem, c.settings.unit);
  if (!c.tried.named.empty()) {
    std::erase_if(offered, [&](const std::string& name) { return name != c.tried.named; });
  } else if (c.tried.one && !offered.empty()) {
    offered = {offered[seed_of(c.problem, c.inputs) % offered.size()]};
  }
  return offered;
}

// The outcomes of what judges a subject's outputs, where they say something.
std::vector<LawOutcome> judged(const LawContext& of) {
  using Check = LawOutcome (*)(const LawContext&);
  std::vector<Check> checks = {check_accuracy, check_dead_rows, check_replay};
  if (of.problem.pass == Pass::bwd) {
    checks.insert(checks.end() - 1, {check_gradient_accuracy, check_stage_accuracy});
  }
  std::vector<LawOutcome> outcomes;
  for (const Check check : checks) {
    outcomes.push_back(check(of));
    if (!outcomes.back().applicable)
      outcomes.pop_back();
    else if (outcomes.back().verdict == Verdict::reject)
      break;
  }
  return outcomes;
}

// What is open in either is open in both, and is refined at once: a ladder is climbed only once.
void join(LawOutcome& all, LawOutcome one) {
  if (one.verdict == Verdict::undecided && all.verdict != Verdict::undecided) {
    all.verdict = one.verdict;
    all.detail = one.detail;
    all.setting = one.setting;
    all.configuration = one.configuration;
  }
  all.applicable = true;
  if (!one.judgement) return;
  if (!all.judgement) all.judgement.emplace();
  all.judgement->add(*one.judgement);
}

}  // namespace

LawOutcome check_configurations(const LawContext& c) {
  LawOutcome all = not_applicable();
  SharedAnswers own;
  RunSettings watched = c.settings;  // the first run, which was, was of other code
  watched.watch = true;
  for (const std::string& name : chosen(c)) {
    const ConfiguredSubject subject(c.subject, name);
    const std::string setting = "configuration " + name;
    const auto named = [&](LawOutcome outcome) {
      outcome.setting = setting;
      outcome.configuration = name;
      return outcome;
    };
    const Execution run = execute(subject, c.problem, c.inputs, watched);
    if (run.outcome.kind == RunOutcome::Kind::unsupported) continue;
    if (run.outcome.kind != RunOutcome::Kind::ran) {
      return named(troubled(run.outcome, "in " + setting));
    }
    const LawContext of{
        c.problem,   c.inputs,    c.answer, subject,     c.settings,
        run.outputs, c.gradients, c.rung,   &run.memory, c.shared ? c.shared : &own};
    for (LawOutcome& outcome : judged(of)) {
      if (outcome.verdict == Verdict::reject) return named(std::move(outcome));
      join(all, named(std::move(outcome)));
    }
  }
  return all;
}

}  // namespace attest
