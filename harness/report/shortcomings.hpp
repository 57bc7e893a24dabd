// shortcomings.hpp - what speaks against a campaign as a whole, beside the verdicts of its rows.
#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"

namespace attest {

struct Shortcoming {
  std::string name;  // what a whole campaign has: "reaches every class"
  std::string text;  // what this one lacks; empty where it lacks nothing
};

// The same names for every campaign, in a fixed order. Something is lacking, or a row holds what
// is not accepted, exactly where the exit status is not 0.
[[nodiscard]] std::vector<Shortcoming> shortcomings(const Campaign& campaign);

// "plain f16 fp32-seq fwd"
[[nodiscard]] std::string row_name(const SubjectKey& row);

// The row that a failure was first seen in.
[[nodiscard]] SubjectKey row_of(const Failure& failure);

}  // namespace attest
