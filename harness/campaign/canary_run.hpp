// canary_run.hpp - are the wrong kernels rejected, each by the law named for it, and is the control
// accepted on the very same cases?
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {

struct CanaryVerdict {
  const CatalogueEntry* canary = nullptr;
  Index cases = 0;                // tried until it was caught
  bool rejected = false;          // by its own law
  bool small = false;             // and the shrunk case has at most canary->most_keys keys
  bool control_accepted = false;  // on the shrunk case, under every law
  bool cut_short = false;         // not caught, and the run was interrupted
  std::set<std::string> by;       // every law that rejected it meanwhile
  Failure failure;                // meaningful if rejected

  [[nodiscard]] bool caught() const { return rejected && small && control_accepted; }
};

struct CanaryRun {
  std::vector<CanaryVerdict> canaries;
  Index cases = 0;                         // that some canary and its control ran on
  Index control_runs = 0;                  // of all controls, on these cases
  Index control_refused = 0;               // of those, not accepted
  std::optional<Failure> control_failure;  // the first such

  // Of the shrunk cases of those rejected, the median of n_k; 0 if there are none.
  [[nodiscard]] Index median_keys() const;
  [[nodiscard]] bool passed() const;
  // All that speaks against passing is that the run was interrupted.
  [[nodiscard]] bool interrupted() const;
};

struct CanaryPlan {
  std::vector<const CatalogueEntry*> canaries;  // their controls run beside them on every case
  Index cases = 0;  // of each pass, at most; fewer when all are caught earlier
  std::uint64_t seed = 1;
  std::filesystem::path state_folder;
  std::chrono::seconds shrink_time{10};  // for each failure
  bool probes = false;                   // say of each shrunk failure what it still needs
  std::function<void(const Progress&)> on_progress;
  std::function<bool()> interrupted;  // true: start no new case, report what is there
  OracleMemory oracle;                // whom to ask
};

// Fresh cases only: it is the generators that have to reach every fault.
[[nodiscard]] CanaryRun run_canaries(const CanaryPlan& plan);

// The documented exit status of `attest canaries`, usage and our own faults apart.
[[nodiscard]] int exit_status(const CanaryRun& run);

}  // namespace attest
