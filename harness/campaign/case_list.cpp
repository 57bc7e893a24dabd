#include "harness/campaign/case_list.hpp"

#include <algorithm>
#include <variant>

#include "core/contract.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/counterexamples.hpp"
#include "properties/covering/plan.hpp"
#include "properties/draw.hpp"
#include "properties/family.hpp"

namespace attest {
namespace {

// The full tier's. Features have met by then, and a plan takes time and memory.
constexpr Index kMostPlanned = 12'000;

}  // namespace

std::string_view name_of(Origin origin) {
  constexpr std::string_view names[] = {"golden", "counterexample", "fresh"};
  return names[static_cast<int>(origin)];
}

CaseList::CaseList(const CampaignPlan& plan, const std::filesystem::path& own_list)
    : plan_(plan), fits_(plan.subjects) {
  for (const Pass pass : plan.passes) {
    const Index planned = std::min(plan.fresh_cases(pass), kMostPlanned);
    wishes_[pass] = covering_plan(plan.seed, pass, plan.tier.strength, planned);
  }
  list_goldens();
  if (!plan.known_list.empty()) {
    list_counterexamples(plan.known_list, plan.known_list.parent_path());
  }
  if (!own_list.empty()) list_counterexamples(own_list, plan.state_folder);
}

void CaseList::list_goldens() {
  if (!plan_.golden_folder.empty()) goldens_ = load_goldens(plan_.golden_folder);
  for (const NamedGolden& golden : goldens_) {
    if (!admits_stored(parse_case(golden.golden.case_text))) continue;
    // The stored values, not those that the text would give: a generator may have changed since.
    stored_.push_back({Origin::golden,
                       {golden.golden.problem, golden.golden.inputs},
                       golden.golden.case_text,
                       &golden,
                       0,
                       stored_.size()});
  }
}

// HDF5 is for one thread, so files are read before any other starts.
void CaseList::list_counterexamples(const std::filesystem::path& list,
                                    const std::filesystem::path& data) {
  for (Counterexample& known : read_counterexamples(list)) {
    if (!admits_stored(known.c)) continue;
    std::string text = to_string(known.c);
    if (std::holds_alternative<FileData>(known.c.data)) known.c.data = inputs_of(known.c, data);
    stored_.push_back({Origin::counterexample, std::move(known.c), std::move(text), nullptr, 0, 0,
                       0, known.unit});
  }
}

bool CaseList::admits_stored(const Case& c) const {
  return std::ranges::find(plan_.passes, c.problem.pass) != plan_.passes.end() &&
         plan_.filter.admits_case(c);
}

Index CaseList::size() const {
  auto count = static_cast<Index>(stored_.size());
  for (const Pass pass : plan_.passes) count += plan_.fresh_cases(pass);
  return count;
}

NumberedCase CaseList::at(Index n) const {
  ATTEST_EXPECTS(n >= 0 && n < size());
  const auto stored = static_cast<Index>(stored_.size());
  if (n < stored) return stored_[static_cast<std::size_t>(n)];
  n -= stored;
  auto pass = plan_.passes.begin();
  for (; n >= plan_.fresh_cases(*pass); ++pass) n -= plan_.fresh_cases(*pass);
  const auto index = static_cast<std::uint64_t>(n);
  const std::uint64_t round = index / (2 * families_of(*pass).size());
  const std::vector<Wish>& wishes = wishes_.at(*pass);
  const Wish wish = index < wishes.size() ? wishes[index] : Wish{};
  Case c = fits_.fitted(draw(plan_.seed, index, *pass, wish), round);
  std::string text = to_string(c);
  return {Origin::fresh, std::move(c),          std::move(text),
          nullptr,       turn_of(index, *pass), rerun_turn_of(index, *pass),
          index};
}

Inputs CaseList::values_of(const NumberedCase& one) const {
  return inputs_of(one.c, plan_.state_folder);
}

// Variants take whole rounds, in which each family comes once in each format: every second or
// fourth case would bring some families, or units, to none of a variant's cases.
std::vector<const Subject*> CaseList::takers(const NumberedCase& one,
                                             const std::vector<const Subject*>& subjects) const {
  if (one.origin != Origin::fresh || plan_.variant_turns == 1) return subjects;
  std::vector<const Subject*> chosen;
  const std::uint64_t round = one.schedule_seed / (2 * families_of(one.c.problem.pass).size());
  for (std::size_t n = 0; n < subjects.size(); ++n) {
    const bool variant = subjects[n]->name().starts_with(kVariantPrefix);
    const auto turns = static_cast<std::uint64_t>(plan_.variant_turns);
    if (!variant || (round + n) % turns == 0) chosen.push_back(subjects[n]);
  }
  return chosen;
}

}  // namespace attest
