// campaign.hpp - many cases against some subjects: goldens, then counterexamples, then fresh ones.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/conditions.hpp"
#include "harness/campaign/failure.hpp"
#include "harness/campaign/filter.hpp"
#include "harness/campaign/tally.hpp"
#include "harness/campaign/tier.hpp"

namespace attest {

struct Progress {
  Index done = 0;
  Index planned = 0;
  Index rejected = 0;   // cases with a rejected law, so far
  Index undecided = 0;  // likewise
  // After the cases: failures that were explained, of so many; before, 0 of 0.
  Index explained = 0;
  Index failures = 0;
};

struct CampaignPlan {
  Tier tier{};
  // Fresh ones of each pass that the filter lets through; else the tier's number, before it.
  std::optional<Index> cases;
  std::vector<Pass> passes = {Pass::fwd};  // stored cases of other passes are left out
  std::uint64_t seed = 1;
  std::vector<const Subject*> subjects;
  // A variant differs from its main subject in one decision: where all of them run, each takes one
  // of so many rounds of fresh cases, in turn. A round brings each family once in each format.
  Index variant_turns = 1;
  // A law that reruns the subject is asked on one of so many fresh cases, by plan
  // (turn_plan.hpp).
  Index rerun_turns = 1;
  std::vector<Unit> units;
  Filter filter;
  std::optional<std::chrono::seconds> budget;  // no new case is started after it
  std::filesystem::path golden_folder;         // empty: no goldens
  std::filesystem::path state_folder;          // of counterexamples.txt; empty: none
  std::filesystem::path known_list;            // a second list, only read; empty: none
  // For each failure told in full (explaining.hpp): shrinking, and probing what matters.
  std::chrono::seconds shrink_time{10};
  bool all_failures = false;                         // tell every law's in full
  Calling calling;                                   // of the subjects, for replays
  unsigned threads = 0;                              // 0: one a core
  std::function<void(const Progress&)> on_progress;  // called from one thread at a time
  std::function<bool()> interrupted;  // true: start no new case, report what is there
  OracleMemory oracle;                // whom to ask
  // Of each finished case, in order, its line of JSON (case_record.hpp). From one thread at a time.
  std::function<void(std::string_view line)> on_case;
  std::filesystem::path journal_folder;  // to go on in, or to begin (journal.hpp); empty: none
  Conditions conditions;  // what else tells this campaign from others: how its subjects run

  [[nodiscard]] Index fresh_cases(Pass pass) const { return cases.value_or(tier.cases_of(pass)); }
  // Does it go on past them, until its budget is used?
  [[nodiscard]] bool open_ended() const { return tier.until_budget && budget && !cases; }
  // Is any pass given fewer cases than the tier has?
  [[nodiscard]] bool shortened() const {
    for (const Pass pass : passes) {
      if (fresh_cases(pass) < tier.cases_of(pass)) return true;
    }
    return false;
  }
};

// A subject on a family's cases.
struct Unjudged {
  std::string family;
  std::string subject;
  friend bool operator==(const Unjudged&, const Unjudged&) = default;
};

// How to see one case of a campaign again.
struct CaseName {
  std::string text;
  std::uint64_t schedule_seed = 0;
};

struct Campaign {
  Tally tally;
  int strength = 2;               // the tier's
  std::vector<Failure> failures;  // the first of each (subject, law), as explaining.hpp tells them
  Index rejected_cases = 0;       // (case, subject) pairs
  Index undecided_cases = 0;
  Index troubled_cases = 0;               // with a run that ended in misconduct: is_misconduct
  Index planned = 0;                      // cases, had the run come to its end
  bool unfinished = false;                // the time budget or an interrupt ended it before that
  bool interrupted = false;               // it was an interrupt
  bool fitted = false;                    // cases were changed to what the subjects take
  std::string unrecorded;                 // why a failure could not join the counterexample list
  std::vector<std::string> empty;         // families and shape classes that no fresh case reached
  std::vector<Unit> idle_units;           // asked for by name, and nothing ran on them
  std::vector<Unjudged> too_unbounded;    // where more than 1 % of elements had no finite budget
  std::map<std::string, CaseName> names;  // of its cases, by CaseResult::id
  Index resumed = 0;                      // of its cases, finished by an earlier process
};

// The project's own list of cases that once were judged wrongly.
[[nodiscard]] std::filesystem::path known_counterexamples();

// Results do not depend on the number of threads. Throws Error.
[[nodiscard]] Campaign run_campaign(const CampaignPlan& plan);

// The documented exit status of `attest check`, usage and our own faults apart.
[[nodiscard]] int exit_status(const Campaign& campaign);

}  // namespace attest
