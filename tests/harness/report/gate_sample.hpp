// gate_sample.hpp - campaigns that hold everything a report for a gate may have to tell.
#pragma once

#include <vector>

#include "tests/harness/campaign/small_plan.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest {

// plain is accepted; <wrong> & "co" is rejected, crashing crashes in one case, choosy declines.
class GateSample {
 public:
  [[nodiscard]] const Campaign& campaign() const { return campaign_; }

 private:
  static Campaign run(std::vector<const Subject*> subjects) {
    CampaignPlan plan = small_plan(8, std::move(subjects));
    plan.passes = {Pass::fwd, Pass::bwd};
    plan.shrink_time = std::chrono::seconds{1};
    return run_campaign(plan);
  }

  StandIn wrong_{{.name = "<wrong> & \"co\" | v1.2", .spoil = move_by_one}};
  StandIn crashing_{{.name = "crashing",
                     .outcome = {RunOutcome::Kind::crashed, "signal 11: \x1b[31m\xff"},
                     .when = [](const RunSettings& s) { return s.schedule_seed == 3; }}};
  StandIn choosy_{{.name = "choosy", .units = {Unit::device}}};
  Campaign campaign_ = run({&plain(), &wrong_, &crashing_, &choosy_});
};

// Made once: it takes a second or two.
[[nodiscard]] inline const Campaign& gate_sample() {
  static const GateSample sample;
  return sample.campaign();
}

[[nodiscard]] inline Campaign accepted_campaign() {
  return run_campaign(small_plan(4, {&plain()}));
}

}  // namespace attest
