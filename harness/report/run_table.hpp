// run_table.hpp - what a campaign found, for a terminal.
#pragma once

#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/report/palette.hpp"

namespace attest {

// Verdicts by subject, format, unit and law; what each family and shape class received; failing
// reports; one closing line.
[[nodiscard]] std::string campaign_report(const Campaign& campaign, const Palette& palette);

// What speaks against the campaign as a whole, then "ACCEPTED  498 cases, 0 rejected, ..".
[[nodiscard]] std::string closing_line(const Campaign& campaign, const Palette& palette);

// "family F3 ..": cases per format, largest error/budget, share without a finite budget.
[[nodiscard]] std::string family_table(const Tally& tally);

}  // namespace attest
