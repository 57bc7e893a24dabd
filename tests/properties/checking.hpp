// checking.hpp - one law on one case with one subject, as a campaign would do it, without the
// refinement of undecided elements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "properties/law.hpp"

namespace attest {

// The laws that speak of cases of this pass.
[[nodiscard]] inline std::vector<Law> laws_of(Pass pass) {
  std::vector<Law> speaking;
  for (const Law& law : laws()) {
    if (law.speaks_of(pass)) speaking.push_back(law);
  }
  return speaking;
}

// Everything a law needs, made once for all laws of a case.
class CheckedCase {
 public:
  CheckedCase(const Case& c, const Subject& subject)
      : problem_(c.problem),
        inputs_(materialise(c)),
        answer_(enclose_forward(problem_, inputs_)),
        gradients_(gradients_of(problem_, inputs_)),
        subject_(subject),
        run_(execute(subject, problem_, inputs_, settings_)) {}

  [[nodiscard]] LawOutcome check(std::string_view law) const {
    const BackwardAnswer* gradients = gradients_ ? &*gradients_ : nullptr;
    return law_named(law).check({problem_, inputs_, answer_, subject_, settings_, run_.outputs,
                                 gradients, std::nullopt, &run_.memory});
  }

 private:
  static std::optional<BackwardAnswer> gradients_of(const Problem& problem, const Inputs& inputs) {
    if (problem.pass == Pass::fwd) return std::nullopt;
    return enclose_backward(problem, inputs);
  }

  RunSettings settings_;
  Problem problem_;
  Inputs inputs_;
  Answer answer_;
  std::optional<BackwardAnswer> gradients_;
  const Subject& subject_;
  Execution run_;
};

}  // namespace attest
