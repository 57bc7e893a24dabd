// gaps.hpp - what a campaign should have reached, or judged, and did not.
#pragma once

#include "harness/campaign/campaign.hpp"

namespace attest {

// Fills in Campaign's empty, idle_units and too_unbounded, from its tally.
void note_gaps(const CampaignPlan& plan, Campaign& campaign);

}  // namespace attest
