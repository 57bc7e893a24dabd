#include "harness/campaign/tier.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/key_values.hpp"

namespace attest {

std::span<const Tier> tiers() {
  static constexpr Tier kTiers[] = {{"smoke", 528, 300, 6, 5, 2},
                                    {"standard", 2288, 1300, 4, 1, 3},
                                    {"full", 11220, 5100, 1, 1, 4},
                                    {"soak", 2640, 1500, 1, 1, 2, true}};
  return kTiers;
}

const Tier& tier_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Tier& tier : tiers()) {
    if (tier.name == name) return tier;
    known.push_back(tier.name);
  }
  throw Error(Blame::usage, unknown_name("tier", name, known));
}

}  // namespace attest
