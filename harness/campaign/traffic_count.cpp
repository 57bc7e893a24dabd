#include "harness/campaign/traffic_count.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "harness/campaign/check_case.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "traffic/traffic_formulas.hpp"
#include "traffic/work.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kSeed = 1;

// The first unit that takes the problem; else why the first one does not.
std::optional<Unit> unit_for(const Subject& subject, const Problem& problem, std::string& why) {
  for (const Unit unit : emulated_units()) {
    const auto reason = subject.unsupported(problem, unit);
    if (!reason) return unit;
    if (why.empty()) why = *reason;
  }
  return std::nullopt;
}

bool same(const std::optional<MemoryUse>& a, const std::optional<MemoryUse>& b) {
  return a.has_value() == b.has_value() && (!a || agree(*a, *b));
}

bool same(const PassTraffic& a, const PassTraffic& b) {
  return agree(a.counted, b.counted) && same(a.formula, b.formula);
}

bool same(const TrafficRow& a, const TrafficRow& b) {
  return same(a.forward, b.forward) && a.backward.has_value() == b.backward.has_value() &&
         (!a.backward || same(*a.backward, *b.backward));
}

TrafficRow row_of(const Subject& subject, const Problem& problem, const PassMemory& memory) {
  TrafficRow row{{subject.name()}, {*memory.forward, std::nullopt}, std::nullopt};
  if (memory.backward) row.backward = PassTraffic{*memory.backward, std::nullopt};
  const TrafficFormula* formula = traffic_formula_of(subject.name());
  if (formula == nullptr) return row;
  row.forward.formula = formula->forward(problem);
  if (row.backward && formula->backward != nullptr) {
    row.backward->formula = formula->backward(problem);
  }
  return row;
}

}  // namespace

bool PassTraffic::agrees() const { return formula && agree(counted, *formula); }

bool ProblemTraffic::agrees() const { return std::ranges::all_of(rows, &TrafficRow::agrees); }

ProblemTraffic count_traffic(const Problem& problem, std::span<const Subject* const> subjects) {
  ProblemTraffic all{problem, {}, {}};
  const Inputs inputs = materialise({problem, FamilyData{"F0", kSeed}});
  for (const Subject* subject : subjects) {
    std::string why;
    const std::optional<Unit> unit = unit_for(*subject, problem, why);
    if (!unit) {
      all.uncounted.push_back({subject->name(), why});
      continue;
    }
    const Execution run = execute(*subject, problem, inputs, {*unit, 0, cores(), /*watch=*/false});
    if (run.outcome.kind != RunOutcome::Kind::ran) {
      throw Error(Blame::ours, subject->name() + ": " + run.outcome.detail);
    }
    if (!run.memory.forward) {
      all.uncounted.push_back({subject->name(), "what runs it counts no traffic"});
      continue;
    }
    const TrafficRow row = row_of(*subject, problem, run.memory);
    const auto like = std::ranges::find_if(
        all.rows, [&](const TrafficRow& earlier) { return same(earlier, row); });
    if (like == all.rows.end()) {
      all.rows.push_back(row);
    } else {
      like->subjects.push_back(subject->name());
    }
  }
  return all;
}

}  // namespace attest
