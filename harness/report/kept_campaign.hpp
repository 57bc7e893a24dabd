// kept_campaign.hpp - a campaign of today as an earlier report would hold it, to be compared with
// one.
#pragma once

#include "harness/campaign/campaign.hpp"
#include "harness/report/kept_report.hpp"

namespace attest {

[[nodiscard]] KeptReport kept(const Campaign& campaign);

}  // namespace attest
