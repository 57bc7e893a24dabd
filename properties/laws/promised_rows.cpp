#include "properties/laws/promised_rows.hpp"

#include <vector>

#include "properties/laws/liveness.hpp"

namespace attest {

RowFilter promised_rows(const LawContext& c, Schedule schedule) {
  const auto dq_sum = c.subject.numerics(c.problem, c.settings.unit).dq_sum;
  const bool atomic = !dq_sum || dq_sum->kind == DqSum::Kind::atomic;
  const bool repeats = schedule == Schedule::same && c.settings.unit != Unit::device;
  const bool dq_is_open = atomic && !repeats;
  const Semantics semantics = c.subject.semantics();
  std::vector<Liveness> liveness;
  for (Index b = 0; b < c.problem.batch; ++b) liveness.emplace_back(c.problem, b);
  const Problem& p = c.problem;
  return [=, liveness = std::move(liveness), &p](const NamedOutput& output, Index b, Index row) {
    if (dq_is_open && output.name == "dq") return false;
    const Index length = output.by_keys ? p.live_keys(b) : p.live_queries(b);
    if (row >= length) return semantics.beyond_lengths != BeyondLengths::unspecified;
    const bool declared = output.name == "o" || output.name == "lse";
    return !declared || !liveness[b].dead_row(row) || fixed_when_dead(semantics);
  };
}

}  // namespace attest
