// covering_report.hpp - which features met in a campaign's fresh cases, for the page and in full.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/campaign/campaign.hpp"

namespace attest {

// A line for each pass, and the first few that never met; nothing without fresh cases.
[[nodiscard]] std::string covering_lines(const Campaign& campaign);

// All that never met, up to the tier's strength, and the constraints with their reasons.
[[nodiscard]] nlohmann::ordered_json covering_json(const Campaign& campaign);

}  // namespace attest
