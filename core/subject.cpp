#include "core/subject.hpp"

#include "core/contract.hpp"

namespace attest {

std::string_view name_of(RunOutcome::Kind kind) {
  using Kind = RunOutcome::Kind;
  switch (kind) {
    case Kind::ran: return "ran";
    case Kind::crashed: return "crashed";
    case Kind::broke_rules: return "broke rules";
    case Kind::unsupported: return "unsupported";
    case Kind::failed: return "failed";
    case Kind::hung: return "hung";
    case Kind::out_of_bounds: return "went out of bounds";
    case Kind::changed_inputs: return "changed its inputs";
    case Kind::left_unwritten: return "left output unwritten";
    case Kind::nondeterministic: return "was not deterministic";
    case Kind::malformed_reply: return "gave a malformed reply";
  }
  ATTEST_EXPECTS(false);
  return "";
}

bool is_misconduct(RunOutcome::Kind kind) {
  using Kind = RunOutcome::Kind;
  return kind != Kind::ran && kind != Kind::unsupported && kind != Kind::nondeterministic;
}

std::vector<std::string> Subject::configurations(const Problem&, Unit) const { return {}; }

Numerics Subject::numerics_in(const std::string&, const Problem& problem, Unit unit) const {
  return numerics(problem, unit);
}

RunOutcome Subject::run_backward(const Problem&, const BackwardInputs&, const BackwardOutputs&,
                                 const RunSettings&) const {
  return {RunOutcome::Kind::crashed, name() + " has no backward and did not decline pass=bwd"};
}

}  // namespace attest
