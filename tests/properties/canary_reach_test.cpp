// Goal: drawn cases reach every canary in both formats through the law that is named for it, and
// what they find shrinks to few keys, on which the control is right.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "properties/shrink.hpp"
#include "tests/properties/checking.hpp"

namespace attest::canary_reach_test {
namespace {

// As many as the smoke tier draws, both formats together.
constexpr std::uint64_t kCases = 528;

bool breaks(const Canary& canary, const Subject& subject, const Case& c) {
  const LawOutcome outcome = CheckedCase(c, subject).check(canary.law);
  return outcome.applicable && outcome.verdict == Verdict::reject;
}

// What is right where the canary is wrong: the control, or the variant that the fault needs.
std::unique_ptr<Subject> control_of(const Canary& canary) {
  const auto form = std::ranges::find(plain_forms(), canary.control, &PlainForm::name);
  if (form == plain_forms().end()) return canaries()[0].make();
  return make_plain(std::string(form->name), form->config);
}

void expect_small_shrunk_failure(const Canary& canary, const Subject& subject, const Case& c) {
  const auto still = [&](const Case& smaller) { return breaks(canary, subject, smaller); };
  const Shrunk shrunk =
      shrink_failure(c, still, std::chrono::steady_clock::now() + std::chrono::minutes(2));
  EXPECT_FALSE(shrunk.out_of_time) << canary.name;
  EXPECT_LE(shrunk.smallest.problem.n_k, canary.most_keys) << to_string(shrunk.smallest);
  const auto control = control_of(canary);
  const LawOutcome healthy = CheckedCase(shrunk.smallest, *control).check(canary.law);
  EXPECT_EQ(healthy.verdict, Verdict::accept) << healthy.detail;
}

TEST(CanaryReach, EveryCanaryBreaksItsLawInBothFormatsAndShrinks) {
  for (const Canary& canary : canaries()) {
    if (canary.law.empty()) continue;
    const auto subject = canary.make();
    for (const std::uint64_t format : {0u, 1u}) {
      const auto drawn = [&](std::uint64_t index) { return draw(1, index, canary.pass); };
      std::uint64_t index = format;
      while (index < kCases && !breaks(canary, *subject, drawn(index))) index += 2;
      EXPECT_LT(index, kCases) << canary.name << " was never rejected";
      if (index < kCases) expect_small_shrunk_failure(canary, *subject, drawn(index));
    }
  }
}

}  // namespace
}  // namespace attest::canary_reach_test
