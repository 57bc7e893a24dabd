// conditions.hpp - what makes two campaigns the same one, as pairs of words: what was asked for,
// which program runs it, which stored cases it knows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

struct CampaignPlan;

struct Condition {
  std::string name;
  std::string value;
  friend bool operator==(const Condition&, const Condition&) = default;
};

using Conditions = std::vector<Condition>;

// Everything on which the plan's results depend, its own conditions included. Throws Error (ours)
// where a stored file cannot be read.
[[nodiscard]] Conditions conditions_of(const CampaignPlan& plan);

// In a sentence, the first condition in which `now` is not `then`; empty where they agree.
[[nodiscard]] std::string difference_between(const Conditions& then, const Conditions& now);

}  // namespace attest
