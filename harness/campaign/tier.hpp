// tier.hpp - how much a run does.
#pragma once

#include <span>
#include <string_view>

#include "core/tensor.hpp"

namespace attest {

struct Tier {
  std::string_view name;
  Index cases;  // fresh ones
};

[[nodiscard]] std::span<const Tier> tiers();

// Throws Error (usage) listing the known names.
[[nodiscard]] const Tier& tier_named(std::string_view name);

}  // namespace attest
