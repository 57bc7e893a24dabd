// small_plan.hpp - a campaign that is over quickly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {

// Fresh cases only, and fewer than the tier has: no class needs to be reached.
[[nodiscard]] inline CampaignPlan small_plan(Index cases, std::vector<const Subject*> subjects) {
  CampaignPlan plan;
  plan.tier = tier_named("smoke");
  plan.cases = cases;
  plan.subjects = std::move(subjects);
  plan.units = emulated_units();
  plan.threads = 2;
  return plan;
}

[[nodiscard]] inline const Subject& plain() {
  return *resolve_subjects(std::vector<std::string>{"plain"}).front();
}

}  // namespace attest
