// determinism: outputs have the same bits whatever order the machine runs things in, but for what
// the declaration leaves open (promised_rows.hpp), such as a dQ that is summed by atomic additions.
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {

LawOutcome check_determinism(const LawContext& c) {
  RunSettings settings = c.settings;
  ++settings.schedule_seed;
  const std::string run = "with schedule seed " + std::to_string(settings.schedule_seed);
  const Execution again = execute(c.subject, c.problem, c.inputs, settings);
  if (again.outcome.kind != RunOutcome::Kind::ran) return troubled(again.outcome, run);
  const std::string where =
      first_difference(c.outputs, again.outputs, promised_rows(c, Schedule::other));
  return where.empty() ? LawOutcome{} : rejected(where + " " + run);
}

}  // namespace attest
