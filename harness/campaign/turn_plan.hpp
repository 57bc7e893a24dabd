// turn_plan.hpp - which unit and which laws a fresh case gets where not every law can be asked on
// every case.
//
// Rotations in step with each other never bring some things together, and rotations out of step do
// so by the luck of a seed, since most laws have nothing to say of many cases. So turns are
// planned, case after case, by what has not met yet:
//
//   unit, long rows     each variant sees three tiles of keys in a row on each unit;
//   unit, family        each family in each format comes to each unit before it comes again;
//   law, unit           each law that reruns meets each main subject on each unit and format;
//   law, variant        each law meets each variant, in each format;
//   law, family         each law meets each family, in each format;
//
// as far as the cases have it: a law counts where it has the problem in its scope and the subject
// takes it, and outside of its scope it is not asked. The plan is a function of the cases and of
// the subjects: nothing runs for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/campaign/campaign.hpp"

namespace attest {

struct PlannedTurn {
  std::uint64_t unit = 0;         // RunChoice::turn
  std::vector<const Law*> rerun;  // the laws that are due, of those that rerun the subject
};

// Of fresh cases 0, 1, ... of one pass. A law is due on one of plan.rerun_turns of the cases in its
// scope, and of each round of families in each format on one at least, if there is any.
[[nodiscard]] std::vector<PlannedTurn> planned_turns(const CampaignPlan& plan, Pass pass,
                                                     std::span<const Case> cases);

}  // namespace attest
