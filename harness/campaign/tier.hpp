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
  Index variant_turns;   // among all bundled subjects, a variant takes one of so many rounds

  [[nodiscard]] Index cases_of(Pass pass) const {
    return pass == Pass::fwd ? cases : backward_cases;
  }
};

[[nodiscard]] std::span<const Tier> tiers();

// Throws Error (usage) listing the known names.
[[nodiscard]] const Tier& tier_named(std::string_view name);

}  // namespace attest
