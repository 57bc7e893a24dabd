// rapidcheck_bridge.hpp - the one door to RapidCheck: its generator and shrinker are our draw() and
// shrink(), so that what a property test finds is a case like any other.
//
// RapidCheck knows no time limit and grows its sizes from zero; here the size is pinned and a
// deadline ends both the checking and the shrinking. Only tests include this header, and they link
// RapidCheck themselves.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <ostream>
#include <sstream>
#include <string>

#include "properties/draw.hpp"
#include "properties/family.hpp"
#include "properties/shrink.hpp"

namespace attest {

using Deadline = std::chrono::steady_clock::time_point;

// How RapidCheck prints a case: as the string that replays it.
inline void showValue(const Case& c, std::ostream& os) { os << to_string(c); }

// Cases of all families of the pass in both formats. They stop shrinking at the deadline.
[[nodiscard]] inline rc::Gen<Case> arbitrary_case(Deadline deadline, Pass pass = Pass::fwd) {
  return rc::Gen<Case>([deadline, pass](const rc::Random& random, int) {
    rc::Random source = random;
    const std::uint64_t seed = source.next();
    const std::uint64_t turns = 2 * families_of(pass).size();
    return rc::shrinkable::shrinkRecur(draw(seed, seed % turns, pass), [deadline](const Case& c) {
      const bool over = std::chrono::steady_clock::now() >= deadline;
      return rc::seq::fromContainer(over ? std::vector<Case>{} : shrink(c));
    });
  });
}

struct CaseCheck {
  std::uint64_t seed = 1;
  int cases = 100;
  Pass pass = Pass::fwd;
  std::chrono::milliseconds limit{20'000};
};

struct CaseCheckResult {
  bool holds = false;
  int checked = 0;      // cases that were really looked at before the limit
  std::string message;  // RapidCheck's, with the shrunk case, when it does not hold
};

// Checks holds(case) -> bool, or a property written with RC_ASSERT, on drawn cases.
template <class Holds>
[[nodiscard]] CaseCheckResult check_cases(const CaseCheck& what, Holds holds) {
  const Deadline deadline = std::chrono::steady_clock::now() + what.limit;
  CaseCheckResult result;
  const auto property = [&] {
    const Case c = *arbitrary_case(deadline, what.pass);
    if (std::chrono::steady_clock::now() >= deadline) return;  // seen in `checked`
    ++result.checked;
    RC_ASSERT(holds(c));
  };
  rc::detail::TestParams params;
  params.seed = what.seed;
  params.maxSuccess = what.cases;
  params.maxSize = rc::kNominalSize;
  const auto outcome = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  result.holds = outcome.template is<rc::detail::SuccessResult>();
  std::ostringstream message;
  rc::detail::printResultMessage(outcome, message);
  result.message = std::move(message).str();
  return result;
}

}  // namespace attest
