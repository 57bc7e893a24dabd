#include "core/subject.hpp"

namespace attest {

RunOutcome Subject::run_backward(const Problem&, const BackwardInputs&, const BackwardOutputs&,
                                 const RunSettings&) const {
  return {RunOutcome::Kind::crashed, name() + " has no backward and did not decline pass=bwd"};
}

}  // namespace attest
