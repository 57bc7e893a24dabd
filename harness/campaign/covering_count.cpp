#include "harness/campaign/covering_count.hpp"

#include <algorithm>

#include "properties/covering/cells.hpp"
#include "properties/covering/constraint.hpp"

namespace attest {
namespace {

CoveringCount count_cells(const Tally& tally, Pass pass, int strength, bool list) {
  Cells drawn(pass, strength);
  Cells ran = drawn;
  for (const FreshFeatures& fresh : tally.features) {
    if (fresh.pass != pass) continue;
    drawn.meet(fresh.features);
    if (fresh.ran) ran.meet(fresh.features);
  }
  CoveringCount count{pass, strength, ran.total(), ran.excluded(), drawn.met(), ran.met(), {}};
  for (std::size_t cell = 0; list && cell < ran.size(); ++cell) {
    if (ran.is_unmet(cell)) count.never.push_back(text_of(ran.features_at(cell)));
  }
  return count;
}

}  // namespace

std::vector<CoveringCount> covering_counts(const Tally& tally, int listed) {
  std::vector<CoveringCount> counts;
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    if (std::ranges::find(tally.features, pass, &FreshFeatures::pass) == tally.features.end()) {
      continue;
    }
    for (int strength = 2; strength <= kMostStrength; ++strength) {
      counts.push_back(count_cells(tally, pass, strength, strength <= listed));
    }
  }
  return counts;
}

std::vector<std::pair<std::string, std::string>> constraints_in_words() {
  std::vector<std::pair<std::string, std::string>> words;
  for (const Constraint& constraint : constraints()) {
    words.emplace_back(constraint.name, constraint.reason);
  }
  return words;
}

}  // namespace attest
