// tier.hpp - how much a run does.
#pragma once

#include <span>
#include <string_view>

#include "core/problem.hpp"

namespace attest {

struct Tier {
  std::string_view name;
  Index cases;           // fresh ones of the forward pass
  Index backward_cases;  // likewise of the backward pass
  // Among all bundled subjects, a variant takes one of so many rounds, and a law that reruns the
  // subject one of so many cases. Without a divisor in common: else a variant's rounds would bring
  // a law to some families only.
  Index variant_turns;
  Index rerun_turns;
  // Fresh cases are planned to bring so many features together, whichever they are, as far as they
  // are enough (properties/covering/plan.hpp).
  int strength = 2;
  // With a budget of time, these are only the least: fresh cases go on until the budget is used.
  bool until_budget = false;

  [[nodiscard]] Index cases_of(Pass pass) const {
    return pass == Pass::fwd ? cases : backward_cases;
  }
};

[[nodiscard]] std::span<const Tier> tiers();

// Throws Error (usage) listing the known names.
[[nodiscard]] const Tier& tier_named(std::string_view name);

}  // namespace attest
