// fitted_case.hpp - cases for subjects that take few problems: each drawn one becomes the nearest
// that they take.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/case.hpp"
#include "core/subject.hpp"
#include "harness/subjects/problem_fit.hpp"

namespace attest {

class CaseFits {
 public:
  explicit CaseFits(std::span<const Subject* const> subjects);

  // Do subjects take few problems, so that cases are changed?
  [[nodiscard]] bool any() const;
  // Where subjects take different problems, each kind has its rounds of cases, in turn.
  [[nodiscard]] Case fitted(Case drawn, std::uint64_t round) const;

 private:
  std::vector<const ProblemFit*> kinds_;  // one subject of each; null: those that take any problem
};

}  // namespace attest
