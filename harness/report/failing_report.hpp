// failing_report.hpp - one failure, with everything that a kernel engineer needs to understand and
// reproduce it, in a fixed order: verdict and law, element, region, observed, exact, error against
// budget, the budget's largest terms, the row, the shrunk case, what it still needs to fail, the
// command that replays it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/campaign/failure.hpp"
#include "harness/report/palette.hpp"

namespace attest {

[[nodiscard]] std::string failing_report(const Failure& failure, const Palette& palette);

// A failure that is told in full; within its report is a line for each law beside it.
struct ToldFailure {
  const Failure* failure = nullptr;
  std::string report;
};

// Of Campaign::failures, which have to outlive the result.
[[nodiscard]] std::vector<ToldFailure> told_failures(std::span<const Failure> failures,
                                                     const Palette& palette);

// The same but for the last two, where there was no subject to run again.
[[nodiscard]] std::string rejected_report(const Failure& failure, const Palette& palette);

[[nodiscard]] std::string place_of(const ElementJudgement& element);  // "o[b=0 h=2 i=17 d=5]"

// The same block for one element that is no failure of a campaign (attest replay): from
// "observed" to "largest".
[[nodiscard]] std::string element_report(const ElementJudgement& element);

// "attest replay '...' --subject plain --unit fp32-seq", and what else is needed: the schedule's
// seed, how the subject's calls are made. Quoted for a shell.
[[nodiscard]] std::string replay_command(const Failure& failure);

}  // namespace attest
