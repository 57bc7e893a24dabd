#include "harness/campaign/campaign.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "harness/campaign/case_list.hpp"
#include "harness/campaign/case_record.hpp"
#include "harness/campaign/explaining.hpp"
#include "harness/campaign/gaps.hpp"
#include "harness/campaign/journal.hpp"
#include "harness/campaign/ordered_pool.hpp"
#include "harness/campaign/output_digest.hpp"
#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/isolation/worker.hpp"
#include "harness/subjects/program_files.hpp"
#include "properties/counterexamples.hpp"

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kListName = "counterexamples.txt";
struct Done {
  CaseRecord record;
  std::string line;  // of the record, where somebody wants one
};

// The law whose extra run ended badly; nothing where it was the run itself.
const LawResult* where_troubled(const SubjectResult& run) {
  const auto law = std::ranges::find_if(run.laws, [](const LawResult& one) {
    return one.outcome.trouble.kind != RunOutcome::Kind::ran;
  });
  return law == run.laws.end() ? nullptr : &*law;
}

// By SIGKILL, which may have been meant for the campaign: such a case is not finished.
bool any_was_killed(const CaseResult& result) {
  return std::ranges::any_of(result.subjects,
                             [](const SubjectResult& run) { return was_killed(run.trouble); });
}

class Runner {
 public:
  explicit Runner(const CampaignPlan& plan) : plan_(plan) {
    for (const Law& law : laws()) {
      if (plan.filter.admits_law(law.name)) laws_.push_back(&law);
    }
    for (const Subject* subject : plan.subjects) {
      if (plan.filter.admits_subject(subject->name())) subjects_.push_back(subject);
    }
  }

  Campaign run() {
    if (laws_.empty() || subjects_.empty()) return {};
    start_ = Clock::now();
    list_cases();
    const Index planned = cases_->size();
    const Index first = take_journal();
    const int workers = workers_for(planned - first);
    campaign_.strength = plan_.tier.strength;
    threads_each_ = std::max(1, cores() / workers);
    finished_ = first;
    run_in_order<Done>(
        planned - first, static_cast<unsigned>(workers),
        [&](Index n) -> std::optional<Done> {
          if (is_over() || interrupted()) return std::nullopt;
          return work(first + n);
        },
        [&](Index n, Done&& done) {
          if (journal_ && !done.line.empty()) journal_->append(done.line);
          take(done);
          finished_ = first + n + 1;
          report_progress();
        });
    campaign_.planned = planned_cases();
    campaign_.unfinished = finished_ < campaign_.planned;
    campaign_.interrupted = finished_ < planned && interrupted();
    note_gaps(plan_, campaign_);
    explain_failures();
    return std::move(campaign_);
  }

 private:
  void list_cases() {
    std::filesystem::path list;
    if (!plan_.state_folder.empty()) list = plan_.state_folder / kListName;
    if (!plan_.journal_folder.empty()) {
      journal_.emplace(plan_.journal_folder, conditions_of(plan_), list);
      list = journal_->counterexamples();
    }
    cases_.emplace(plan_, list);
    campaign_.fitted = cases_->are_fitted();
  }

  // Counts what an earlier process finished. The first case that it did not.
  Index take_journal() {
    Index first = 0;
    if (!journal_) return first;
    journal_->replay([&](std::string_view line) {
      Done done{parse_record(line, *cases_, subjects_), std::string(line)};
      // In between there may be fresh cases that a filter left out.
      if (done.record.n < first) throw Error(Blame::usage, "its case came before");
      first = done.record.n + 1;
      spent_ = std::max(spent_, done.record.at);
      if (any_was_killed(done.record.result)) {
        done = work(done.record.n);
      } else {
        ++campaign_.resumed;
      }
      take(done);
    });
    return first;
  }

  // Fewer than threads where there is less to do: each run then gets more threads of its own.
  [[nodiscard]] int workers_for(Index planned) const {
    const Index most = plan_.threads == 0 ? cores() : static_cast<Index>(plan_.threads);
    return static_cast<int>(std::clamp(planned, Index{1}, most));
  }

  [[nodiscard]] bool interrupted() const { return plan_.interrupted && plan_.interrupted(); }

  // Seconds that this campaign has worked, in earlier processes, too.
  [[nodiscard]] double spent() const {
    return spent_ + std::chrono::duration<double>(Clock::now() - start_).count();
  }

  [[nodiscard]] bool is_over() const {
    return plan_.budget && spent() >= std::chrono::duration<double>(*plan_.budget).count();
  }

  void report_progress(Index explained = 0, Index failures = 0) const {
    if (!plan_.on_progress) return;
    plan_.on_progress({finished_, planned_cases(), campaign_.rejected_cases,
                       campaign_.undecided_cases, explained, failures});
  }

  // Without the open end.
  [[nodiscard]] Index planned_cases() const {
    return plan_.open_ended() ? std::max(finished_, cases_->least_size()) : cases_->size();
  }

  Done work(Index n) const {
    const NumberedCase one = cases_->at(n);
    CaseRecord record{n, one.origin, one.text, one.schedule_seed, {one.c, {}, 0, ""}};
    if (one.origin == Origin::fresh && !plan_.filter.admits_case(one.c)) return {record, ""};
    const Clock::time_point start = Clock::now();
    record.result = check(one);
    record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    record.at = spent();
    const bool wanted = journal_ || plan_.on_case;
    std::string line = wanted ? to_line(record) : "";
    return {std::move(record), std::move(line)};
  }

  [[nodiscard]] CaseResult check(const NumberedCase& one) const {
    const Inputs inputs = cases_->values_of(one);
    RunChoice choice{plan_.units, one.turn, one.schedule_seed, threads_each_, one.unit};
    choice.oracle = plan_.oracle;
    choice.rerun = one.rerun;
    choice.one_configuration = plan_.variant_turns > 1;
    choice.all_for_main = one.origin == Origin::golden;
    CaseResult result =
        one.golden != nullptr
            ? check_case(one.c, inputs, confirmed_answer(*one.golden, plan_.oracle), subjects_,
                         laws_, choice)
            : check_case(one.c, inputs, cases_->takers(one, subjects_), laws_, choice);
    result.id = digest_of_case(one.c.problem, inputs, one.schedule_seed);
    return result;
  }

  void take(const Done& done) {
    const CaseResult& result = done.record.result;
    if (result.subjects.empty()) return;  // the filter left it out
    if (plan_.on_case) plan_.on_case(done.line);
    Tally& tally = campaign_.tally;
    tally.add(result);
    campaign_.names[result.id] = {done.record.text, done.record.schedule_seed};
    const Origin origin = done.record.origin;
    if (origin == Origin::golden) ++tally.goldens;
    if (origin == Origin::counterexample) ++tally.counterexamples;
    if (origin == Origin::fresh) tally.add_fresh(result);
    for (const SubjectResult& run : result.subjects) {
      if (verdict_of(run) == Verdict::undecided) ++campaign_.undecided_cases;
      if (verdict_of(run) != Verdict::reject) continue;
      ++campaign_.rejected_cases;
      note_failures(run, done.record.n);
    }
  }

  void note_failures(const SubjectResult& run, Index n) {
    const auto note = [&](std::string_view law, const std::string& configuration = {}) {
      if (!seen_.insert({run.subject, std::string(law)}).second) return;
      RunSettings settings{run.unit, run.schedule_seed, cores()};  // explained one by one
      settings.configuration = configuration;
      first_.push_back({run.subject, settings, std::string(law), cases_->at(n).c,
                        [this, n] { return cases_->values_of(cases_->at(n)); }});
    };
    if (run.trouble.kind != RunOutcome::Kind::ran) {
      if (is_misconduct(run.trouble.kind)) ++campaign_.troubled_cases;
      const LawResult* const law = where_troubled(run);
      law != nullptr ? note(law->law->name, law->outcome.configuration) : note(kRunItself);
      return;
    }
    for (const LawResult& law : run.laws) {
      if (law.outcome.verdict == Verdict::reject) note(law.law->name, law.outcome.configuration);
    }
  }

  void explain_failures() {
    const auto time = [this] {
      return interrupted() ? std::chrono::seconds{0} : plan_.shrink_time;
    };
    campaign_.failures =
        explain(first_, {plan_.state_folder, time, plan_.all_failures, plan_.calling, plan_.oracle,
                         [this](Index explained) {
                           report_progress(explained, static_cast<Index>(first_.size()));
                         }});
    for (const Failure& failure : campaign_.failures) record(failure);
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

  const CampaignPlan& plan_;
  std::vector<const Law*> laws_;
  std::vector<const Subject*> subjects_;
  std::optional<Journal> journal_;
  std::optional<CaseList> cases_;
  Clock::time_point start_{};
  double spent_ = 0;  // by earlier processes, in seconds
  int threads_each_ = 1;
  Index finished_ = 0;
  Campaign campaign_;
  std::set<std::pair<const Subject*, std::string>> seen_;
  std::vector<Rejection> first_;
};

}  // namespace

std::filesystem::path known_counterexamples() { return companion_data("counterexamples.txt"); }

Campaign run_campaign(const CampaignPlan& plan) { return Runner(plan).run(); }

int exit_status(const Campaign& campaign) {
  if (!campaign.empty.empty() || !campaign.unrecorded.empty()) return 4;
  if (campaign.troubled_cases > 0) return 3;
  if (campaign.rejected_cases > 0 || !campaign.too_unbounded.empty()) return 1;
  if (campaign.undecided_cases > 0 || campaign.interrupted) return 7;
  return campaign.tally.judged() == 0 ? 5 : 0;
}

}  // namespace attest
