#include "harness/campaign/check_case.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "harness/campaign/output_digest.hpp"
#include "harness/subjects/bits_promise.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void enter(const RunChoice& choice, std::string_view what, std::string_view of) {
  if (!choice.on_stage) return;
  choice.on_stage(std::string(what) + " of " + std::string(of));
}

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

// Who offers every emulated unit asks for none in particular, and so gets a subject's own.
std::vector<Unit> offered_units(const Subject& subject, const RunChoice& choice) {
  const auto own = subject.own_unit();
  if (own && choice.units == emulated_units()) return {*own};
  return choice.units;
}

// The unit of this case, or why no offered unit will do.
SubjectResult choose_unit(const Problem& problem, const Subject& subject, const RunChoice& choice) {
  SubjectResult result;
  result.subject = &subject;
  std::vector<Unit> supported;
  for (const Unit unit : offered_units(subject, choice)) {
    if (const auto reason = subject.unsupported(problem, unit)) {
      if (!result.unsupported) result.unsupported = reason;  // the first unit offered speaks
    } else {
      supported.push_back(unit);
    }
  }
  if (supported.empty()) return result;
  result.unsupported = unjudged(problem, subject.semantics());
  result.unit = supported[choice.turn % supported.size()];
  if (choice.preferred && std::ranges::find(supported, *choice.preferred) != supported.end()) {
    result.unit = *choice.preferred;
  }
  result.schedule_seed = choice.schedule_seed;
  return result;
}

Index most_key_tiles(const Answer& answer, const std::optional<Index>& tile_k) {
  Index most = 0;
  if (!tile_k) return most;
  for (const RowMoments& row : answer.rows) {
    if (row.live_keys == 0) continue;
    most = std::max(most, row.last_live / *tile_k - row.first_live / *tile_k + 1);
  }
  return most;
}

using Context = std::function<LawContext(std::optional<Precision> rung)>;

void ask_laws(const Context& context, Exact& exact, std::span<const Law* const> laws,
              const RunChoice& choice, SubjectResult& result) {
  const LawContext asked = context(std::nullopt);
  const Pass pass = asked.problem.pass;
  const bool main = choice.all_for_main && !asked.subject.name().starts_with(kVariantPrefix);
  const bool all = main || !choice.rerun;
  for (const Law* law : laws) {
    if (!law->speaks_of(pass)) continue;
    if (law->reruns && !all && std::ranges::find(*choice.rerun, law) == choice.rerun->end()) {
      continue;
    }
    enter(choice, "law " + std::string(law->name), asked.subject.name());
    const Clock::time_point start = Clock::now();
    LawOutcome outcome = decide(
        asked.problem, asked.inputs, exact,
        [&](std::optional<Precision> rung) { return law->check(context(rung)); }, choice.oracle);
    if (!outcome.applicable || outcome.trouble.kind == RunOutcome::Kind::unsupported) continue;
    if (outcome.trouble.kind != RunOutcome::Kind::ran) result.trouble = outcome.trouble;
    result.laws.push_back({law, std::move(outcome), seconds_since(start)});
  }
}

void check_subject(const Case& c, const Inputs& inputs, Exact& exact, SharedAnswers& shared,
                   std::span<const Law* const> laws, const RunChoice& choice,
                   SubjectResult& result) {
  if (result.unsupported) return;
  const Subject& subject = *result.subject;
  result.key_tiles = most_key_tiles(exact.answer, subject.numerics(c.problem, result.unit).tile_k);
  const RunSettings settings{result.unit, result.schedule_seed, choice.threads};
  enter(choice, "the run", subject.name());
  const Clock::time_point start = Clock::now();
  const Execution run = execute(subject, c.problem, inputs, settings);
  result.seconds = seconds_since(start);
  if (run.outcome.kind == RunOutcome::Kind::unsupported) {
    result.unsupported = run.outcome.detail;
    return;
  }
  result.trouble = run.outcome;
  if (run.outcome.kind != RunOutcome::Kind::ran) return;
  // A law's extra runs make the same accesses as this one, with other values.
  RunSettings unwatched = settings;
  unwatched.watch = false;
  const auto context = [&](std::optional<Precision> rung) {
    const BackwardAnswer* gradients = exact.gradients ? &*exact.gradients : nullptr;
    return LawContext{c.problem,
                      inputs,
                      exact.answer,
                      subject,
                      unwatched,
                      run.outputs,
                      gradients,
                      rung,
                      &run.memory,
                      &shared,
                      {choice.one_configuration, choice.configuration}};
  };
  if (repeats_bits(subject, result.unit)) {
    const RowFilter promised = promised_rows(context(std::nullopt), Schedule::same);
    result.digest = digest_of_outputs(run.outputs, promised);
  }
  ask_laws(context, exact, laws, choice, result);
}

// The result of another subject of the case, if `result` has to come out the same: its run is that
// one's, on the same unit.
const SubjectResult* same_run_as(const Problem& problem, const SubjectResult& result,
                                 std::span<const SubjectResult> others) {
  if (result.unsupported) return nullptr;
  const auto name = shared_run(*result.subject, problem, result.unit);
  if (!name) return nullptr;
  const auto same = std::ranges::find_if(others, [&](const SubjectResult& other) {
    return !other.unsupported && other.unit == result.unit && other.subject->name() == *name;
  });
  return same == others.end() ? nullptr : &*same;
}

void take_over(const SubjectResult& same, SubjectResult& result) {
  result.shared = same.subject->name();
  result.key_tiles = same.key_tiles;
  result.trouble = same.trouble;
  result.laws = same.laws;
  result.digest = same.digest;
  for (LawResult& law : result.laws) law.seconds = 0;  // that was spent once
}

CaseResult check_chosen(const Case& c, const Inputs& inputs, Exact exact,
                        std::span<const Law* const> laws, const RunChoice& choice,
                        std::vector<SubjectResult> chosen) {
  CaseResult result{c, std::move(chosen), 0};
  SharedAnswers shared;
  std::vector<std::pair<const SubjectResult*, SubjectResult*>> later;
  for (SubjectResult& subject : result.subjects) {
    if (const SubjectResult* same = same_run_as(c.problem, subject, result.subjects)) {
      later.emplace_back(same, &subject);
    } else {
      check_subject(c, inputs, exact, shared, laws, choice, subject);
    }
  }
  for (const auto& [same, subject] : later) take_over(*same, *subject);
  if (!exact.answer.bits.empty()) result.bits = std::ranges::max(exact.answer.bits);
  if (exact.gradients) result.bits = std::max(result.bits, exact.gradients->bits);
  return result;
}

}  // namespace

std::vector<SubjectResult> choose_units(const Problem& problem,
                                        std::span<const Subject* const> subjects,
                                        const RunChoice& choice) {
  std::vector<SubjectResult> results;
  for (const Subject* subject : subjects) {
    results.push_back(choose_unit(problem, *subject, choice));
  }
  return results;
}

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

int cores() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

CaseResult check_case(const Case& c, const Inputs& inputs, std::span<const Subject* const> subjects,
                      std::span<const Law* const> laws, const RunChoice& choice) {
  std::vector<SubjectResult> chosen = choose_units(c.problem, subjects, choice);
  const bool any = std::ranges::any_of(chosen, [](const auto& one) { return !one.unsupported; });
  if (!any) return {c, std::move(chosen), 0};
  enter(choice, "the exact answer", "the case");
  return check_chosen(c, inputs, enclose_cheaply(c.problem, inputs), laws, choice,
                      std::move(chosen));
}

CaseResult check_case(const Case& c, const Inputs& inputs, Exact exact,
                      std::span<const Subject* const> subjects, std::span<const Law* const> laws,
                      const RunChoice& choice) {
  return check_chosen(c, inputs, std::move(exact), laws, choice,
                      choose_units(c.problem, subjects, choice));
}

Verdict verdict_of(const SubjectResult& result) {
  if (result.trouble.kind != RunOutcome::Kind::ran) return Verdict::reject;
  Verdict verdict = Verdict::accept;
  for (const LawResult& law : result.laws) verdict = worse(verdict, law.outcome.verdict);
  return verdict;
}

}  // namespace attest
