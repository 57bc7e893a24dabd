// checking.hpp - one law on one case with one subject, as a campaign would do it, without the
// refinement of undecided elements.
#pragma once

#include <string>

#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "properties/law.hpp"

namespace attest {

// Everything a law needs, made once for all laws of a case.
class CheckedCase {
 public:
  CheckedCase(const Case& c, const Subject& subject)
      : problem_(c.problem),
        inputs_(materialise(c)),
        answer_(enclose_forward(problem_, inputs_)),
        subject_(subject),
        run_(execute(subject, problem_, inputs_, settings_)) {}

  [[nodiscard]] LawOutcome check(std::string_view law) const {
    return law_named(law).check({problem_, inputs_, answer_, subject_, settings_, run_.outputs});
  }

 private:
  RunSettings settings_;
  Problem problem_;
  Inputs inputs_;
  Answer answer_;
  const Subject& subject_;
  Execution run_;
};

}  // namespace attest
