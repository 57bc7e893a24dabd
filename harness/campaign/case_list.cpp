#include "harness/campaign/case_list.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "core/contract.hpp"
#include "harness/campaign/turns.hpp"
#include "harness/subjects/catalogue.hpp"
#include "properties/counterexamples.hpp"
#include "properties/covering/plan.hpp"
#include "properties/draw.hpp"

namespace attest {
namespace {

// The full tier's. Features have met by then, and a plan takes time and memory.
constexpr Index kMostPlanned = 12'000;

// How far a filter that lets few cases through is searched: some seconds at most.
constexpr Index kMostTriesEach = 1000;
constexpr Index kMostTries = 200'000;

// An open-ended campaign has so many times the tier's cases, which no budget uses up.
constexpr Index kOpenEnd = Index{1} << 28;

}  // namespace

std::string_view name_of(Origin origin) {
  constexpr std::string_view names[] = {"golden", "counterexample", "fresh"};
  return names[static_cast<int>(origin)];
}

CaseList::CaseList(const CampaignPlan& plan, const std::filesystem::path& own_list)
    : plan_(plan), fits_(plan.subjects) {
  for (const Pass pass : plan.passes) plan_pass(pass);
  list_goldens();
  if (!plan.known_list.empty()) {
    list_counterexamples(plan.known_list, plan.known_list.parent_path());
  }
  if (!own_list.empty()) list_counterexamples(own_list, plan.state_folder);
}

void CaseList::plan_pass(Pass pass) {
  const Index planned = std::min(fresh_of(pass), kMostPlanned);
  wishes_[pass] = covering_plan(plan_.seed, pass, plan_.tier.strength, planned);
  // More than are searched for go before the filter.
  if (plan_.cases && *plan_.cases <= kMostTries && !plan_.filter.empty()) search(pass);
  if (plan_.rerun_turns == 1) return;
  std::vector<Case> cases;
  for (Index n = 0; n < planned; ++n) {
    cases.push_back(fresh_case(pass, static_cast<std::uint64_t>(n)));
  }
  turns_[pass] = planned_turns(plan_, pass, cases);
}

void CaseList::search(Pass pass) {
  const Index wanted = *plan_.cases;
  const Index most = std::min(kMostTriesEach * wanted, kMostTries);
  std::vector<std::uint64_t>& found = found_[pass];
  for (Index n = 0; n < most && static_cast<Index>(found.size()) < wanted; ++n) {
    const auto index = static_cast<std::uint64_t>(n);
    if (plan_.filter.admits_case(fresh_case(pass, index))) found.push_back(index);
  }
}

void CaseList::list_goldens() {
  if (!plan_.golden_folder.empty()) goldens_ = load_goldens(plan_.golden_folder);
  for (const NamedGolden& golden : goldens_) {
    if (!admits_stored(parse_case(golden.golden.case_text))) continue;
    // The stored values, not those that the text would give: a generator may have changed since.
    stored_.push_back({Origin::golden,
                       {golden.golden.problem, golden.golden.inputs},
                       golden.golden.case_text,
                       &golden});
    if (plan_.rerun_turns > 1) {
      stored_.back().rerun =
          laws_in_turn(golden.golden.problem.pass, plan_.rerun_turns, stored_.size());
    }
  }
}

// HDF5 is for one thread, so files are read before any other starts.
void CaseList::list_counterexamples(const std::filesystem::path& list,
                                    const std::filesystem::path& data) {
  for (Counterexample& known : read_counterexamples(list)) {
    if (!admits_stored(known.c)) continue;
    std::string text = to_string(known.c);
    if (std::holds_alternative<FileData>(known.c.data)) known.c.data = inputs_of(known.c, data);
    stored_.push_back(
        {Origin::counterexample, known.c, std::move(text), nullptr, 0, 0, known.unit});
    if (plan_.rerun_turns > 1) stored_.back().rerun = laws_of(known, stored_.size());
    stored_.back().failed = known.subject;
    stored_.back().place = stored_.size();
  }
}

// Those in turn, and the one that the case once failed.
std::vector<const Law*> CaseList::laws_of(const Counterexample& known, std::uint64_t turn) const {
  std::vector<const Law*> due = laws_in_turn(known.c.problem.pass, plan_.rerun_turns, turn);
  for (const Law& law : laws()) {
    if (law.name == known.law && std::ranges::find(due, &law) == due.end()) due.push_back(&law);
  }
  return due;
}

bool CaseList::admits_stored(const Case& c) const {
  return std::ranges::find(plan_.passes, c.problem.pass) != plan_.passes.end() &&
         plan_.filter.admits_case(c);
}

Index CaseList::fresh_of(Pass pass) const {
  const auto found = found_.find(pass);
  if (found != found_.end()) return static_cast<Index>(found->second.size());
  return (plan_.open_ended() ? kOpenEnd : 1) * plan_.fresh_cases(pass);
}

Index CaseList::size() const {
  auto count = static_cast<Index>(stored_.size());
  for (const Pass pass : plan_.passes) count += fresh_of(pass);
  return count;
}

Index CaseList::least_size() const {
  const auto stored = static_cast<Index>(stored_.size());
  return plan_.open_ended() ? stored + (size() - stored) / kOpenEnd : size();
}

// Of any beginning of the list, the passes have their parts of the whole.
std::pair<Pass, std::uint64_t> CaseList::fresh_at(Index n) const {
  if (plan_.passes.size() == 1) return {plan_.passes[0], static_cast<std::uint64_t>(n)};
  Index of_second = fresh_of(plan_.passes[1]);
  Index of_both = fresh_of(plan_.passes[0]) + of_second;
  const Index divisor = std::gcd(of_second, of_both);
  of_second /= divisor;
  of_both /= divisor;
  const auto before = [&](Index m) {
    return m / of_both * of_second + m % of_both * of_second / of_both;
  };
  const Index second = before(n);
  if (before(n + 1) > second) return {plan_.passes[1], static_cast<std::uint64_t>(second)};
  return {plan_.passes[0], static_cast<std::uint64_t>(n - second)};
}

NumberedCase CaseList::at(Index n) const {
  ATTEST_EXPECTS(n >= 0 && n < size());
  const auto stored = static_cast<Index>(stored_.size());
  if (n < stored) return stored_[static_cast<std::size_t>(n)];
  auto [pass, index] = fresh_at(n - stored);
  const auto found = found_.find(pass);
  if (found != found_.end()) index = found->second[index];
  NumberedCase one{Origin::fresh, fresh_case(pass, index), "", nullptr, 0, index};
  one.text = to_string(one.c);
  const auto turns = turns_.find(pass);
  if (turns == turns_.end()) {
    one.turn = turn_of(index, pass);
  } else {
    const PlannedTurn& turn = turns->second[index % turns->second.size()];
    one.turn = turn.unit;
    one.rerun = turn.rerun;
  }
  return one;
}

Case CaseList::fresh_case(Pass pass, std::uint64_t index) const {
  const std::vector<Wish>& wishes = wishes_.at(pass);
  const Wish wish = index < wishes.size() ? wishes[index] : Wish{};
  return fits_.fitted(draw(plan_.seed, index, pass, wish), round_of(index, pass));
}

Inputs CaseList::values_of(const NumberedCase& one) const {
  return inputs_of(one.c, plan_.state_folder);
}

// Variants take whole rounds, in which each family comes once in each format: every second or
// fourth case would bring some families, or units, to none of a variant's cases. A counterexample
// is a round of its own, and whatever it failed takes it.
std::vector<const Subject*> CaseList::takers(const NumberedCase& one,
                                             const std::vector<const Subject*>& subjects) const {
  if (one.origin == Origin::golden || plan_.variant_turns == 1) return subjects;
  std::vector<const Subject*> chosen;
  const std::uint64_t round =
      one.origin == Origin::fresh ? round_of(one.schedule_seed, one.c.problem.pass) : one.place;
  for (std::size_t n = 0; n < subjects.size(); ++n) {
    const std::string name = subjects[n]->name();
    const bool variant = name.starts_with(kVariantPrefix) && name != one.failed;
    if (!variant || takes_round(n, round, plan_.variant_turns)) chosen.push_back(subjects[n]);
  }
  return chosen;
}

}  // namespace attest
