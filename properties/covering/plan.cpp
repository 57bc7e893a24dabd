#include "properties/covering/plan.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/random.hpp"
#include "properties/covering/cells.hpp"
#include "properties/covering/constraint.hpp"
#include "properties/draw.hpp"
#include "properties/drawn_shape.hpp"
#include "properties/families/values.hpp"
#include "properties/family.hpp"

namespace attest {
namespace {

constexpr Index kMostWork = 4'000'000;  // that the draw allows any case by itself
constexpr std::uint64_t kAttempts = 6;
constexpr std::uint64_t kFreeRounds = 4;  // one in so many
constexpr int kPairs = 2;

bool agree(const Features& a, const Features& b) {
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (a[n] != kOpen && b[n] != kOpen && a[n] != b[n]) return false;
  }
  return true;
}

// Cells of one strength, and where the unmet ones are: by family, and those of no family.
class Level {
 public:
  Level(Pass pass, int strength) : cells_(pass, strength), unmet_(families().size() + 1) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (!cells_.is_unmet(cell)) continue;
      const std::int8_t family = cells_.features_at(cell)[kFamilyDrawn];
      unmet_[family == kOpen ? families().size() : static_cast<std::size_t>(family)].push_back(
          cell);
    }
  }

  [[nodiscard]] Cells& cells() { return cells_; }

  // An unmet cell that agrees with the features: of their family if there is one. `dice` says where
  // the search begins.
  std::optional<Features> target(const Features& features, std::uint32_t dice) {
    for (const std::size_t list :
         {static_cast<std::size_t>(features[kFamilyDrawn]), families().size()}) {
      std::vector<std::size_t>& unmet = unmet_[list];
      for (std::size_t seen = 0; seen < unmet.size();) {
        std::size_t& cell = unmet[(seen + dice) % unmet.size()];
        if (!cells_.is_unmet(cell)) {
          cell = unmet.back();
          unmet.pop_back();
          continue;
        }
        const Features at = cells_.features_at(cell);
        if (agree(at, features)) return at;
        ++seen;
      }
    }
    return std::nullopt;
  }

 private:
  Cells cells_;
  std::vector<std::vector<std::size_t>> unmet_;
};

class Planner {
 public:
  Planner(std::uint64_t seed, Pass pass, int strength)
      : seed_(seed), pass_(pass), strength_(strength), turn_(2 * families_of(pass).size()) {}

  Wish next() {
    const std::uint64_t index = index_++;
    const Features drawn = features_of(draw(seed_, index, pass_));
    Wish best;
    const bool free = index / turn_ % kFreeRounds == kFreeRounds - 1;
    const int last = free ? kPairs : strength_;
    for (int strength = kPairs; strength <= last; ++strength) {
      if (const auto wish = best_of(strength, index, drawn)) {
        best = *wish;
        break;
      }
    }
    const Features met = features_of(draw(seed_, index, pass_, best));
    for (auto& level : levels_) {
      if (level) level->cells().meet(met);
    }
    met_.push_back(met);
    return best;
  }

 private:
  // Made when it is first needed: most runs are short.
  Level& level_of(int strength) {
    std::optional<Level>& level = levels_[static_cast<std::size_t>(strength)];
    if (!level) {
      level.emplace(pass_, strength);
      for (const Features& met : met_) level->cells().meet(met);
    }
    return *level;
  }

  // The wish whose case meets most new cells; nothing if none meets any.
  std::optional<Wish> best_of(int strength, std::uint64_t index, const Features& drawn) {
    Level& level = level_of(strength);
    if (level.cells().all_met()) return std::nullopt;
    Features fixed = all_open();
    for (const Parameter own : {kInput, kFamilyDrawn}) fixed[own] = drawn[own];
    // Another attempt draws a family's own choice anew, and so away from what refuses most: half of
    // the rounds leave it.
    const bool again = strength == kPairs || index / turn_ % 2 == 0;
    std::optional<Wish> best;
    Index most = 0;
    for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      const RandomBits bits = random_bits(seed_of_case(seed_, index),
                                          {kDrawOfPlan, 0, 0, static_cast<std::uint32_t>(attempt),
                                           static_cast<std::uint32_t>(strength)});
      const auto target = level.target(fixed, bits[0]);
      if (!target) return best;
      const Wish wish{completed(level.cells(), fixed, *target, drawn, bits[1]),
                      again ? attempt : 0};
      const Case c = draw(seed_, index, pass_, wish);
      const Index met = level.cells().unmet(features_of(c));
      if (met <= most || work_of(c.problem) > kMostWork) continue;
      most = met;
      best = wish;
    }
    return best;
  }

  // The target and, one parameter after the other, the value that meets most with what is there.
  // Where that is none the draw may do as it likes, and where two are equal it decides.
  [[nodiscard]] Features completed(const Cells& cells, Features features, const Features& target,
                                   const Features& drawn, std::uint32_t dice) const {
    for (std::size_t n = 0; n < features.size(); ++n) {
      if (target[n] != kOpen) features[n] = target[n];
    }
    for (std::uint32_t n = 0; n < kParameters; ++n) {
      const auto parameter = static_cast<Parameter>((n + dice) % kParameters);
      if (features[parameter] == kOpen) choose(cells, features, parameter, drawn[parameter]);
    }
    return features;
  }

  void choose(const Cells& cells, Features& features, Parameter parameter,
              std::int8_t drawn) const {
    Index most = 0;
    std::int8_t best = kOpen;
    const auto values = static_cast<std::int8_t>(names_of(parameter).values.size());
    for (std::int8_t value = 0; value < values; ++value) {
      features[parameter] = value;
      if (constraint_on(pass_, features) != nullptr) continue;
      const Index met = cells.unmet_with(features, parameter);
      if (met < most || met == 0 || (met == most && value != drawn)) continue;
      most = met;
      best = value;
    }
    features[parameter] = best;
  }

  std::uint64_t seed_;
  Pass pass_;
  int strength_;
  std::uint64_t turn_;
  std::uint64_t index_ = 0;
  std::array<std::optional<Level>, kMostStrength + 1> levels_;
  std::vector<Features> met_;  // by the cases so far
};

}  // namespace

std::vector<Wish> covering_plan(std::uint64_t seed, Pass pass, int strength, Index count) {
  Planner planner(seed, pass, strength);
  std::vector<Wish> wishes;
  for (Index n = 0; n < count; ++n) wishes.push_back(planner.next());
  return wishes;
}

}  // namespace attest
