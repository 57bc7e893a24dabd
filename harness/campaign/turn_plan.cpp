#include "harness/campaign/turn_plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "harness/campaign/turns.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/family.hpp"
#include "properties/laws/scope.hpp"

namespace attest {
namespace {

constexpr Index kWidestTile = 64;  // of the kernels with tiles
constexpr std::uint64_t kFormats = 2;

// What may meet: subjects on units, variants, families, by numbers that nothing else has.
using Cell = std::tuple<char, std::size_t, std::uint64_t, std::uint64_t>;

struct PlannedCase {
  std::size_t index = 0;
  std::uint64_t format = 0;
  std::uint64_t family = 0;
  std::vector<Cell> cells;  // that a law would meet here
};

class Planner {
 public:
  Planner(const CampaignPlan& plan, Pass pass, std::span<const Case> cases)
      : plan_(plan), pass_(pass), families_(families_of(pass)), cases_(cases) {
    for (const Law& law : laws()) {
      if (law.reruns && law.speaks_of(pass)) laws_.push_back(&law);
    }
  }

  std::vector<PlannedTurn> turns() {
    turns_.resize(cases_.size());
    const std::size_t round = kFormats * families_.size();
    for (std::size_t first = 0; first < cases_.size(); first += round) {
      std::vector<PlannedCase> all;
      for (std::size_t n = first; n < std::min(first + round, cases_.size()); ++n) {
        choose_unit(n);
        all.push_back(planned_case(n));
      }
      for (std::uint64_t format = 0; format < kFormats; ++format) {
        for (std::size_t law = 0; law < laws_.size(); ++law) choose_cases(law, format, all);
      }
    }
    return std::move(turns_);
  }

 private:
  [[nodiscard]] std::uint64_t family_of(std::size_t n) const { return n / 2 % families_.size(); }

  // Of the units, the one that this case needs most.
  void choose_unit(std::size_t n) {
    const std::uint64_t variants =
        round_of(n, pass_) % static_cast<std::uint64_t>(plan_.variant_turns);
    const bool is_long = most_tiles_of_a_row(cases_[n].problem, kWidestTile) >= 3;
    const auto counts = [&](std::uint64_t unit) {
      return std::array<Index*, 3>{&long_on_[{variants, unit}],
                                   &family_on_[{kFormats * family_of(n) + n % kFormats, unit}],
                                   &taken_on_[{variants, unit}]};
    };
    std::uint64_t best = 0;
    std::tuple<Index, Index, Index> least;
    for (std::uint64_t unit = 0; unit < plan_.units.size(); ++unit) {
      const auto [of_long, of_family, taken] = counts(unit);
      const std::tuple rank(is_long ? *of_long : 0, *of_family, *taken);
      if (unit > 0 && rank >= least) continue;
      best = unit;
      least = rank;
    }
    const auto [of_long, of_family, taken] = counts(best);
    *of_long += is_long ? 1 : 0;
    ++*of_family;
    ++*taken;
    turns_[n].unit = best;
  }

  [[nodiscard]] PlannedCase planned_case(std::size_t n) const {
    PlannedCase one{n, n % kFormats, family_of(n), {}};
    one.cells.emplace_back('f', one.family, 0, kFormats);  // in either format
    one.cells.emplace_back('f', one.family, 0, one.format);
    // Where a NaN is live most laws have nothing to say.
    if (families_[one.family]->live_nan) return one;
    for (const SubjectResult& taker :
         choose_units(cases_[n].problem, takers(n), RunChoice{plan_.units, turns_[n].unit})) {
      if (taker.unsupported) continue;
      const auto of = static_cast<std::size_t>(std::ranges::find(plan_.subjects, taker.subject) -
                                               plan_.subjects.begin());
      const bool variant = taker.subject->name().starts_with(kVariantPrefix);
      const auto unit = variant ? 0 : static_cast<std::uint64_t>(taker.unit);
      one.cells.emplace_back(variant ? 'v' : 'm', of, unit, one.format);
    }
    return one;
  }

  [[nodiscard]] std::vector<const Subject*> takers(std::size_t n) const {
    std::vector<const Subject*> taking;
    for (std::size_t s = 0; s < plan_.subjects.size(); ++s) {
      const bool variant = plan_.subjects[s]->name().starts_with(kVariantPrefix);
      if (!variant || takes_round(s, round_of(n, pass_), plan_.variant_turns)) {
        taking.push_back(plan_.subjects[s]);
      }
    }
    return taking;
  }

  // Of a round's cases in one format, those on which the law is due.
  void choose_cases(std::size_t law, std::uint64_t format, const std::vector<PlannedCase>& all) {
    std::vector<const PlannedCase*> open;
    for (const PlannedCase& one : all) {
      if (one.format != format) continue;
      if (laws_[law]->may_speak_of(cases_[one.index].problem)) open.push_back(&one);
    }
    auto& [in_scope, due] = counts_[{law, format}];
    in_scope += static_cast<Index>(open.size());
    const Index wanted = (in_scope + plan_.rerun_turns - 1) / plan_.rerun_turns - due;
    for (Index n = 0; n < std::max(wanted, Index{1}) && !open.empty(); ++n, ++due) {
      const auto best = std::ranges::min_element(
          open, {}, [&](const PlannedCase* one) { return rank_of(law, *one); });
      note(law, **best);
      open.erase(best);
    }
  }

  // The smaller, the more the law is wanted there.
  [[nodiscard]] std::tuple<Index, Index, std::size_t, std::uint64_t> rank_of(
      std::size_t law, const PlannedCase& one) const {
    const std::set<Cell>& met = met_[law];
    const Index fresh =
        std::ranges::count_if(one.cells, [&](const Cell& cell) { return !met.contains(cell); });
    const auto on_unit = on_unit_.find({law, one.format, turns_[one.index].unit});
    const std::uint64_t shifted = one.family + 2 * round_of(one.index, pass_) + law;
    return {-fresh, on_unit == on_unit_.end() ? 0 : on_unit->second, turns_[one.index].rerun.size(),
            shifted % families_.size()};
  }

  void note(std::size_t law, const PlannedCase& one) {
    met_[law].insert(one.cells.begin(), one.cells.end());
    ++on_unit_[{law, one.format, turns_[one.index].unit}];
    turns_[one.index].rerun.push_back(laws_[law]);
  }

  const CampaignPlan& plan_;
  Pass pass_;
  std::vector<const Family*> families_;
  std::span<const Case> cases_;
  std::vector<const Law*> laws_;
  std::vector<PlannedTurn> turns_;
  // By a variant's turn, or by family and format, and unit.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Index> long_on_, family_on_, taken_on_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::pair<Index, Index>> counts_;
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, Index> on_unit_;
  std::vector<std::set<Cell>> met_ = std::vector<std::set<Cell>>(laws().size());
};

}  // namespace

std::vector<PlannedTurn> planned_turns(const CampaignPlan& plan, Pass pass,
                                       std::span<const Case> cases) {
  return Planner(plan, pass, cases).turns();
}

}  // namespace attest
