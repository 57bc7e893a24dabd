#include "harness/campaign/canary_run.hpp"

#include <algorithm>

#include "harness/campaign/turns.hpp"
#include "properties/draw.hpp"

namespace attest {
namespace {

// A failure that shrinks into a corner gets this many other cases to start from.
constexpr int kMostAttempts = 5;

using Clock = std::chrono::steady_clock;

class Hunt {
 public:
  explicit Hunt(const CanaryPlan& plan) : plan_(plan), laws_(every_law()) {
    for (const CatalogueEntry* canary : plan.canaries) {
      run_.canaries.push_back({});
      run_.canaries.back().canary = canary;
    }
    attempts_.resize(plan.canaries.size());
  }

  CanaryRun run() {
    for (Index n = 0; n < plan_.cases && any_at_large() && !interrupted(); ++n) {
      const auto index = static_cast<std::uint64_t>(n);
      for (const Pass pass : {Pass::fwd, Pass::bwd}) {
        const std::vector<std::size_t> hunted = at_large_in(pass);
        if (hunted.empty() || interrupted()) continue;
        try_case(draw(plan_.seed, index, pass), index, hunted);
        ++run_.cases;
      }
      if (plan_.on_progress) plan_.on_progress({n + 1, plan_.cases, caught(), 0});
    }
    for (CanaryVerdict& canary : run_.canaries)
      canary.cut_short = interrupted() && !canary.caught();
    return std::move(run_);
  }

 private:
  [[nodiscard]] bool interrupted() const { return plan_.interrupted && plan_.interrupted(); }

  [[nodiscard]] Index caught() const {
    return std::ranges::count_if(run_.canaries, &CanaryVerdict::caught);
  }

  [[nodiscard]] bool at_large(std::size_t n) const {
    return !run_.canaries[n].caught() && attempts_[n] < kMostAttempts;
  }

  [[nodiscard]] bool any_at_large() const {
    for (std::size_t n = 0; n < run_.canaries.size(); ++n) {
      if (at_large(n)) return true;
    }
    return false;
  }

  // Those that cases of this pass can show.
  [[nodiscard]] std::vector<std::size_t> at_large_in(Pass pass) const {
    std::vector<std::size_t> hunted;
    for (std::size_t n = 0; n < run_.canaries.size(); ++n) {
      if (run_.canaries[n].canary->pass == pass && at_large(n)) hunted.push_back(n);
    }
    return hunted;
  }

  void try_case(const Case& c, std::uint64_t index, const std::vector<std::size_t>& hunted) {
    std::vector<const Subject*> subjects;
    for (const std::size_t n : hunted) {
      const Subject* right = &control_of(*run_.canaries[n].canary);
      if (std::ranges::find(subjects, right) == subjects.end()) subjects.push_back(right);
    }
    const std::size_t controls = subjects.size();
    for (const std::size_t n : hunted) subjects.push_back(run_.canaries[n].canary->subject.get());
    const Inputs inputs = materialise(c);
    const std::uint64_t turn = turn_of(index, c.problem.pass);
    const CaseResult result = check_case(c, inputs, subjects, laws_, choice_of(turn, index));
    for (std::size_t n = 0; n < controls; ++n) watch_control(c, inputs, result.subjects[n]);
    for (std::size_t n = 0; n < hunted.size(); ++n) {
      judge_canary(run_.canaries[hunted[n]], attempts_[hunted[n]], c, inputs,
                   result.subjects[controls + n]);
    }
  }

  void watch_control(const Case& c, const Inputs& inputs, const SubjectResult& result) {
    ++run_.control_runs;
    if (verdict_of(result) == Verdict::accept) return;
    ++run_.control_refused;
    if (run_.control_failure) return;
    for (const LawResult& law : result.laws) {
      if (law.outcome.verdict != Verdict::reject) continue;
      run_.control_failure = explain(c, inputs, result, law);
      return;
    }
  }

  void judge_canary(CanaryVerdict& verdict, int& attempts, const Case& c, const Inputs& inputs,
                    const SubjectResult& result) {
    if (result.unsupported) return;
    ++verdict.cases;
    for (const LawResult& law : result.laws) {
      if (law.outcome.verdict != Verdict::reject) continue;
      verdict.by.insert(std::string(law.law->name));
      if (law.law->name != verdict.canary->law) continue;
      ++attempts;
      verdict.rejected = true;
      verdict.failure = explain(c, inputs, result, law);
      const Case& smallest = verdict.failure.shrunk.smallest;
      verdict.small = smallest.problem.n_k <= verdict.canary->most_keys;
      verdict.control_accepted = accepts(control_of(*verdict.canary), smallest);
    }
  }

  Failure explain(const Case& c, const Inputs& inputs, const SubjectResult& result,
                  const LawResult& law) const {
    RunSettings settings{result.unit, result.schedule_seed, cores()};
    settings.configuration = law.outcome.configuration;
    const std::string name(law.law->name);
    const auto time = interrupted() ? Clock::duration{} : Clock::duration{plan_.shrink_time};
    if (plan_.probes) {
      return shrink_and_probe(c, inputs, *result.subject, settings, name, plan_.state_folder, time,
                              plan_.oracle);
    }
    return explain_failure(c, inputs, *result.subject, settings, name, plan_.state_folder,
                           Clock::now() + time, plan_.oracle);
  }

  [[nodiscard]] RunChoice choice_of(std::uint64_t turn, std::uint64_t schedule_seed) const {
    RunChoice choice{emulated_units(), turn, schedule_seed, cores()};
    choice.oracle = plan_.oracle;
    choice.one_configuration = true;  // there are more cases
    return choice;
  }

  [[nodiscard]] bool accepts(const Subject& control, const Case& c) const {
    const Subject* const subjects[] = {&control};
    const CaseResult result =
        check_case(c, inputs_of(c, plan_.state_folder), subjects, laws_, choice_of(0, 0));
    const SubjectResult& judged = result.subjects.front();
    return !judged.unsupported && !judged.laws.empty() && verdict_of(judged) == Verdict::accept;
  }

  const CanaryPlan& plan_;
  std::vector<const Law*> laws_;
  CanaryRun run_;
  std::vector<int> attempts_;
};

}  // namespace

Index CanaryRun::median_keys() const {
  std::vector<Index> keys;
  for (const CanaryVerdict& canary : canaries) {
    if (canary.rejected) keys.push_back(canary.failure.shrunk.smallest.problem.n_k);
  }
  if (keys.empty()) return 0;
  std::ranges::sort(keys);
  return keys[keys.size() / 2];  // of an even number the upper one
}

bool CanaryRun::passed() const {
  return control_refused == 0 && std::ranges::all_of(canaries, &CanaryVerdict::caught);
}

bool CanaryRun::interrupted() const {
  return !passed() && control_refused == 0 && std::ranges::all_of(canaries, [](const auto& canary) {
    return canary.caught() || canary.cut_short;
  });
}

int exit_status(const CanaryRun& run) { return run.passed() ? 0 : run.interrupted() ? 7 : 1; }

CanaryRun run_canaries(const CanaryPlan& plan) { return Hunt(plan).run(); }

}  // namespace attest
