// Goal: the verdict follows the real numbers, not their roundings: on every grid value, on the very
// edge of the budget, and at both ends of binary64.
#include "judge/verdict.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace attest::verdict_test {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Verdict, SeesAnExcessThatRoundingWouldHide) {
  // 1 - (-2^-60) rounds to 1 but exceeds 1.
  EXPECT_EQ(judge(1.0, {-0x1p-60, -0x1p-60}, 1.0), Verdict::reject);
  EXPECT_EQ(judge(1.0, {0x1p-60, 0x1p-60}, 1.0), Verdict::accept);
  EXPECT_EQ(judge(-1.0, {0x1p-60, 0x1p-60}, 1.0), Verdict::reject);
  EXPECT_EQ(judge(-1.0, {-0x1p-60, -0x1p-60}, 1.0), Verdict::accept);
  EXPECT_EQ(judge(0x1p-1074, {-1.0, -1.0}, 1.0), Verdict::reject);
  EXPECT_EQ(judge(-0x1p-1074, {-1.0, -1.0}, 1.0), Verdict::accept);
}

TEST(Verdict, RejectsAnEnclosureOneUlpPastTheBudget) {
  const double past = std::nextafter(0.25, 1.0);
  EXPECT_EQ(judge(0.0, {0.25, 0.25}, 0.25), Verdict::accept);
  EXPECT_EQ(judge(0.0, {-0.25, 0.25}, 0.25), Verdict::accept);
  EXPECT_EQ(judge(0.0, {past, past}, 0.25), Verdict::reject);
  EXPECT_EQ(judge(0.0, {-past, -past}, 0.25), Verdict::reject);
  EXPECT_EQ(judge(0.0, {past, 1.0}, 0.25), Verdict::reject);
  EXPECT_EQ(judge(0.0, {-1.0, -past}, 0.25), Verdict::reject);
}

TEST(Verdict, IsUndecidedWhereTheEdgeLiesInsideTheEnclosure) {
  const double past = std::nextafter(0.25, 1.0);
  EXPECT_EQ(judge(0.0, {0.25, past}, 0.25), Verdict::undecided);
  EXPECT_EQ(judge(0.0, {-past, -0.25}, 0.25), Verdict::undecided);
  EXPECT_EQ(judge(0.0, {-past, past}, 0.25), Verdict::undecided);
  EXPECT_EQ(judge(0.0, {-kInfinity, kInfinity}, 1.0), Verdict::undecided);
}

TEST(Verdict, WithABudgetOfZeroAcceptsTheExactValueOnly) {
  EXPECT_EQ(judge(0.5, {0.5, 0.5}, 0.0), Verdict::accept);
  EXPECT_EQ(judge(-0.0, {0.0, 0.0}, 0.0), Verdict::accept);
  EXPECT_EQ(judge(0.0, {0x1p-1074, 0x1p-1074}, 0.0), Verdict::reject);
  EXPECT_EQ(judge(0.5, {0.5, std::nextafter(0.5, 1.0)}, 0.0), Verdict::undecided);
}

TEST(Verdict, RejectsWhatIsNoNumber) {
  for (const double observed : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_EQ(judge(observed, {-kInfinity, kInfinity}, kMost), Verdict::reject);
  }
}

TEST(Verdict, HoldsWhereDifferencesOverflow) {
  EXPECT_EQ(judge(kMost, {-kMost, -kMost}, kMost), Verdict::reject);
  EXPECT_EQ(judge(-kMost, {kMost, kMost}, kMost), Verdict::reject);
  EXPECT_EQ(judge(kMost, {0.0, 0.0}, kMost), Verdict::accept);
  EXPECT_EQ(judge(kMost, {-0x1p-1074, 0.0}, kMost), Verdict::undecided);
  EXPECT_EQ(judge(kMost, {0.0, kInfinity}, kMost), Verdict::undecided);
}

TEST(Verdict, BreaksTheContractOnABudgetThatIsNone) {
  EXPECT_DEATH((void)judge(0.0, {0.0, 0.0}, -0x1p-1074), "budget >= 0");
  EXPECT_DEATH((void)judge(0.0, {0.0, 0.0}, kInfinity), "isfinite");
  EXPECT_DEATH((void)judge(0.0, {1.0, 0.0}, 1.0), "exact.lo <= exact.hi");
}

TEST(Verdict, KnowsTheWorseOfTwo) {
  constexpr Verdict kOrder[] = {Verdict::accept, Verdict::undecided, Verdict::reject};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) EXPECT_EQ(worse(kOrder[a], kOrder[b]), kOrder[std::max(a, b)]);
  }
  EXPECT_EQ(name_of(Verdict::accept), "accept");
  EXPECT_EQ(name_of(Verdict::reject), "reject");
  EXPECT_EQ(name_of(Verdict::undecided), "undecided");
}

// Integers below 2^53 times powers of two up to 2^60: binary64 holds each, 128 bits their sums.
__extension__ typedef __int128 Integer;

struct OnGrid {
  Integer exact;
  double value;
};

OnGrid on_grid(std::mt19937_64& random) {
  const auto digits = static_cast<Integer>(random() >> (11 + random() % 53));
  const int shift = static_cast<int>(random() % 61);
  const Integer exact = (random() % 2 == 0 ? digits : -digits) << shift;
  return {exact, static_cast<double>(exact)};
}

TEST(Verdict, AgreesWithIntegers) {
  std::mt19937_64 random(2);
  int counts[3] = {};
  for (int n = 0; n < 400'000; ++n) {
    OnGrid x = on_grid(random);
    OnGrid lo = on_grid(random);
    OnGrid hi = on_grid(random);
    if (hi.exact < lo.exact) std::swap(lo, hi);
    OnGrid budget = on_grid(random);
    // Half of the time a budget that is the rounded distance to one end.
    if (n % 2 == 0) budget.value = std::fabs(x.value - (n % 4 == 0 ? lo : hi).value);
    budget.value = std::fabs(budget.value);
    budget.exact = static_cast<Integer>(budget.value);
    const bool all = x.exact - lo.exact <= budget.exact && hi.exact - x.exact <= budget.exact;
    const bool none = x.exact - hi.exact > budget.exact || lo.exact - x.exact > budget.exact;
    const Verdict due = all ? Verdict::accept : none ? Verdict::reject : Verdict::undecided;
    ASSERT_EQ(judge(x.value, {lo.value, hi.value}, budget.value), due)
        << x.value << " in [" << lo.value << ", " << hi.value << "] within " << budget.value;
    ++counts[static_cast<int>(due)];
  }
  for (const int count : counts) EXPECT_GT(count, 20'000);
}

// RapidCheck draws no infinities or NaN by itself; bit patterns reach every finite value.
rc::Gen<double> finite_double() {
  const auto any = rc::gen::suchThat(
      rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()),
                   [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
      [](double x) { return std::isfinite(x); });
  const auto corner =
      rc::gen::element(0.0, -0.0, 1.0, -1.0, 1.5, 0x1p-1074, -0x1p-1022, kMost, -kMost);
  return rc::gen::weightedOneOf<double>({{2, any}, {1, corner}});
}

RC_GTEST_PROP(VerdictLaw, NarrowingNeverOverturnsAnAnswer, ()) {
  double ends[4] = {*finite_double(), *finite_double(), *finite_double(), *finite_double()};
  std::sort(ends, ends + 4);
  const double observed = *finite_double();
  const double budget = std::fabs(*finite_double());
  const Verdict wide = judge(observed, {ends[0], ends[3]}, budget);
  RC_PRE(wide != Verdict::undecided);
  RC_ASSERT(judge(observed, {ends[1], ends[2]}, budget) == wide);
}

RC_GTEST_PROP(VerdictLaw, APointIsNeverUndecided, ()) {
  const double point = *finite_double();
  const double observed = *finite_double();
  const double budget = *rc::gen::element(std::fabs(*finite_double()), 0.0,
                                          std::min(std::fabs(observed - point), kMost));
  RC_ASSERT(judge(observed, {point, point}, budget) != Verdict::undecided);
}

RC_GTEST_PROP(VerdictLaw, MirroringBothSidesChangesNothing, ()) {
  const double a = *finite_double();
  const double b = *finite_double();
  const double observed = *finite_double();
  const double budget = std::fabs(*finite_double());
  const Enclosure exact{std::min(a, b), std::max(a, b)};
  RC_ASSERT(judge(observed, exact, budget) == judge(-observed, {-exact.hi, -exact.lo}, budget));
}

}  // namespace
}  // namespace attest::verdict_test
