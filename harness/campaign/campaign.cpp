#include "harness/campaign/campaign.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "harness/campaign/goldens.hpp"
#include "harness/campaign/ordered_pool.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/counterexamples.hpp"
#include "properties/covering/plan.hpp"
#include "properties/draw.hpp"
#include "properties/family.hpp"

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kListName = "counterexamples.txt";
// F11 drives scores to where some declarations have no finite budget left.
constexpr std::string_view kUnboundedFamily = "F11";
constexpr double kMostUnbounded = 0.01;

enum class Origin : std::uint8_t { golden, counterexample, fresh };

struct Job {
  Origin origin;
  Case c;
  const NamedGolden* golden = nullptr;
  std::uint64_t turn = 0;
  std::uint64_t rerun_turn = 0;
  std::uint64_t schedule_seed = 0;
  std::optional<Unit> unit = std::nullopt;  // that a counterexample failed on
};

struct Done {
  CaseResult result;
  Inputs inputs;
};

// The law whose extra run ended badly, or the run itself.
std::string_view where_troubled(const SubjectResult& run) {
  for (const LawResult& law : run.laws) {
    if (law.outcome.trouble.kind != RunOutcome::Kind::ran) return law.law->name;
  }
  return kRunItself;
}

class Runner {
 public:
  explicit Runner(const CampaignPlan& plan)
      : plan_(plan), end_(plan.budget ? Clock::now() + *plan.budget : Clock::time_point::max()) {
    for (const Law& law : laws()) {
      if (plan.filter.admits_law(law.name)) laws_.push_back(&law);
    }
    for (const Subject* subject : plan.subjects) {
      if (plan.filter.admits_subject(subject->name())) subjects_.push_back(subject);
    }
  }

  Campaign run() {
    if (laws_.empty() || subjects_.empty()) return {};
    list_stored_jobs();
    campaign_.strength = plan_.tier.strength;
    for (const Pass pass : plan_.passes) {
      wishes_[pass] = covering_plan(plan_.seed, pass, plan_.tier.strength, plan_.fresh_cases(pass));
    }
    const auto stored = static_cast<Index>(jobs_.size());
    Index planned = stored;
    for (const Pass pass : plan_.passes) planned += plan_.fresh_cases(pass);
    const int workers = workers_for(planned);
    threads_each_ = std::max(1, cores() / workers);
    run_in_order<Done>(
        planned, static_cast<unsigned>(workers),
        [&](Index n) -> std::optional<Done> {
          if (Clock::now() >= end_ || interrupted()) return std::nullopt;
          return work(n < stored ? jobs_[n] : fresh_job(n - stored));
        },
        [&](Index n, Done&& done) {
          take(n < stored ? jobs_[n].origin : Origin::fresh, std::move(done));
          if (plan_.on_progress) {
            plan_.on_progress(
                {n + 1, planned, campaign_.rejected_cases, campaign_.undecided_cases});
          }
          finished_ = n + 1;
        });
    campaign_.planned = planned;
    campaign_.unfinished = finished_ < planned;
    campaign_.interrupted = campaign_.unfinished && interrupted();
    look_for_empty_classes();
    look_for_idle_units();
    explain_failures();
    return std::move(campaign_);
  }

 private:
  void list_stored_jobs() {
    if (!plan_.golden_folder.empty()) goldens_ = load_goldens(plan_.golden_folder);
    for (const NamedGolden& golden : goldens_) {
      if (!admits_stored(parse_case(golden.golden.case_text))) continue;
      // The stored values, not those that the text would give: a generator may have changed since.
      jobs_.push_back({Origin::golden,
                       {golden.golden.problem, golden.golden.inputs},
                       &golden,
                       0,
                       jobs_.size()});
    }
    if (!plan_.known_list.empty()) list_counterexamples(plan_.known_list);
    if (!plan_.state_folder.empty()) list_counterexamples(plan_.state_folder / kListName);
  }

  // HDF5 is for one thread, so files are read before the pool starts.
  void list_counterexamples(const std::filesystem::path& list) {
    for (Counterexample& known : read_counterexamples(list)) {
      if (!admits_stored(known.c)) continue;
      if (std::holds_alternative<FileData>(known.c.data)) {
        known.c.data = inputs_of(known.c, list.parent_path());
      }
      jobs_.push_back({Origin::counterexample, std::move(known.c), nullptr, 0, 0, 0, known.unit});
    }
  }

  // Fewer than threads where there is less to do: each run then gets more threads of its own.
  [[nodiscard]] int workers_for(Index planned) const {
    const Index most = plan_.threads == 0 ? cores() : static_cast<Index>(plan_.threads);
    return static_cast<int>(std::clamp(planned, Index{1}, most));
  }

  [[nodiscard]] bool interrupted() const { return plan_.interrupted && plan_.interrupted(); }

  // One pass after the other.
  Job fresh_job(Index n) const {
    auto pass = plan_.passes.begin();
    for (; n >= plan_.fresh_cases(*pass); ++pass) n -= plan_.fresh_cases(*pass);
    const auto index = static_cast<std::uint64_t>(n);
    Case c = draw(plan_.seed, index, *pass, wishes_.at(*pass)[index]);
    return {
        Origin::fresh, std::move(c), nullptr, turn_of(index, *pass), rerun_turn_of(index, *pass),
        index};
  }

  [[nodiscard]] bool admits_stored(const Case& c) const {
    return std::ranges::find(plan_.passes, c.problem.pass) != plan_.passes.end() &&
           plan_.filter.admits_case(c);
  }

  // Variants take whole rounds, in which each family comes once in each format: every second or
  // fourth case would bring some families, or units, to none of a variant's cases.
  [[nodiscard]] std::vector<const Subject*> subjects_on(const Job& job) const {
    if (job.origin != Origin::fresh || plan_.variant_turns == 1) return subjects_;
    std::vector<const Subject*> chosen;
    const std::uint64_t round = job.schedule_seed / (2 * families_of(job.c.problem.pass).size());
    for (std::size_t n = 0; n < subjects_.size(); ++n) {
      const bool variant = subjects_[n]->name().starts_with(kVariantPrefix);
      const auto turns = static_cast<std::uint64_t>(plan_.variant_turns);
      if (!variant || (round + n) % turns == 0) chosen.push_back(subjects_[n]);
    }
    return chosen;
  }

  std::optional<Done> work(const Job& job) const {
    if (job.origin == Origin::fresh && !plan_.filter.admits_case(job.c)) {
      return Done{CaseResult{job.c, {}, 0}, {}};
    }
    Inputs inputs = inputs_of(job.c, plan_.state_folder);
    RunChoice choice{plan_.units, job.turn, job.schedule_seed, threads_each_, job.unit};
    choice.oracle = plan_.oracle;
    choice.rerun_turns = job.origin == Origin::counterexample ? 1 : plan_.rerun_turns;
    choice.rerun_turn = job.rerun_turn;
    choice.all_for_main = job.origin == Origin::golden;
    CaseResult result = job.golden != nullptr
                            ? check_case(job.c, inputs, confirmed_answer(*job.golden, plan_.oracle),
                                         subjects_, laws_, choice)
                            : check_case(job.c, inputs, subjects_on(job), laws_, choice);
    return Done{std::move(result), std::move(inputs)};
  }

  void take(Origin origin, Done&& done) {
    if (done.result.subjects.empty()) return;  // the filter left it out
    Tally& tally = campaign_.tally;
    tally.add(done.result);
    if (origin == Origin::golden) ++tally.goldens;
    if (origin == Origin::counterexample) ++tally.counterexamples;
    if (origin == Origin::fresh) tally.add_fresh(done.result);
    for (const SubjectResult& run : done.result.subjects) {
      if (verdict_of(run) == Verdict::undecided) ++campaign_.undecided_cases;
      if (verdict_of(run) != Verdict::reject) continue;
      ++campaign_.rejected_cases;
      note_failures(run, done);
    }
  }

  void note_failures(const SubjectResult& run, const Done& done) {
    const auto note = [&](std::string_view law) {
      if (!seen_.insert({run.subject, std::string(law)}).second) return;
      const RunSettings settings{run.unit, run.schedule_seed, cores()};  // explained one by one
      first_.push_back({run.subject, settings, std::string(law), done.result.c, done.inputs});
    };
    if (run.trouble.kind != RunOutcome::Kind::ran) {
      if (is_misconduct(run.trouble.kind)) ++campaign_.troubled_cases;
      note(where_troubled(run));
      return;
    }
    for (const LawResult& law : run.laws) {
      if (law.outcome.verdict == Verdict::reject) note(law.law->name);
    }
  }

  // A whole run must reach everything; a filtered, shortened or unfinished one may not.
  void look_for_empty_classes() {
    const Tally& tally = campaign_.tally;
    note_unbounded();
    if (!plan_.filter.empty() || campaign_.unfinished || plan_.shortened()) return;
    for (const FamilyTally& family : tally.families) {
      const bool drawn = std::ranges::any_of(
          plan_.passes, [&](Pass pass) { return pass == Pass::bwd || !family.backward_only; });
      if (!drawn) continue;
      if (std::ranges::all_of(family.cases, [](Index n) { return n == 0; })) {
        campaign_.empty.push_back("family " + family.name);
      }
    }
    for (const auto& [name, count] : tally.shape_classes) {
      if (count == 0) campaign_.empty.push_back("shape class " + name);
    }
  }

  // Who asks for the default asks for no unit in particular.
  void look_for_idle_units() {
    if (plan_.units == emulated_units()) return;
    for (const Unit unit : plan_.units) {
      const auto on_unit = [&](const auto& row) { return row.first.unit == unit; };
      if (std::ranges::none_of(campaign_.tally.subjects, on_unit)) {
        campaign_.idle_units.push_back(unit);
      }
    }
  }

  // A subject by itself: pooled, one that can hardly be judged would hide behind the others.
  void note_unbounded() {
    for (const FamilyTally& family : campaign_.tally.families) {
      if (family.name == kUnboundedFamily) continue;
      std::set<std::string> named;
      for (const auto* by_subject : {&family.elements, &family.gradients}) {
        for (const auto& [subject, elements] : *by_subject) {
          if (!family.has_to_be_bounded(elements)) continue;
          if (elements.unbounded_share() <= kMostUnbounded || !named.insert(subject).second) {
            continue;
          }
          campaign_.too_unbounded.push_back({family.name, subject});
        }
      }
    }
  }

  void explain_failures() {
    for (const First& first : first_) {
      const auto shrink_time = interrupted() ? std::chrono::seconds{0} : plan_.shrink_time;
      Failure failure =
          explain_failure(first.c, first.inputs, *first.subject, first.settings, first.law,
                          plan_.state_folder, Clock::now() + shrink_time, plan_.oracle);
      record(failure);
      campaign_.failures.push_back(std::move(failure));
    }
  }

  // What is wrong on purpose fails without being news. A list that cannot be written must not
  // cost the report.
  void record(const Failure& failure) {
    const std::string subject = failure.subject->name();
    if (plan_.state_folder.empty() || kind_of(subject) != SubjectKind::healthy) return;
    try {
      add_counterexample(plan_.state_folder / kListName,
                         {parse_case(failure.smallest_text), subject, failure.law, failure.unit});
    } catch (const Error& error) {
      campaign_.unrecorded = error.what();
    }
  }

  struct First {
    const Subject* subject;
    RunSettings settings;
    std::string law;
    Case c;
    Inputs inputs;
  };

  const CampaignPlan& plan_;
  Clock::time_point end_;
  std::vector<const Law*> laws_;
  std::vector<const Subject*> subjects_;
  std::vector<NamedGolden> goldens_;
  std::vector<Job> jobs_;
  std::map<Pass, std::vector<Wish>> wishes_;  // for each fresh case
  int threads_each_ = 1;
  Index finished_ = 0;
  Campaign campaign_;
  std::set<std::pair<const Subject*, std::string>> seen_;
  std::vector<First> first_;
};

}  // namespace

std::filesystem::path known_counterexamples() { return ATTEST_KNOWN_COUNTEREXAMPLES; }

Campaign run_campaign(const CampaignPlan& plan) { return Runner(plan).run(); }

int exit_status(const Campaign& campaign) {
  if (!campaign.empty.empty() || !campaign.unrecorded.empty()) return 4;
  if (campaign.troubled_cases > 0) return 3;
  if (campaign.rejected_cases > 0 || !campaign.too_unbounded.empty()) return 1;
  if (campaign.undecided_cases > 0 || campaign.interrupted) return 7;
  return campaign.tally.judged() == 0 ? 5 : 0;
}

}  // namespace attest
