// Goal: a class of output is accepted where it is due and nowhere else; no NaN or infinity ever
// walks through as if it were small.
#include "judge/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attest::special_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Enclosure kZero{0, 0};

Budget budget_of(double total, Unbounded unbounded = Unbounded::no) {
  Budget budget;
  budget.total = total;
  budget.unbounded = unbounded;
  return budget;
}

enum class Answered { accept, reject, number };

Answered answered(const std::optional<ClassVerdict>& decided) {
  if (!decided) return Answered::number;
  EXPECT_NE(decided->verdict, Verdict::undecided);
  EXPECT_EQ(decided->reason.empty(), decided->verdict == Verdict::accept);
  return decided->verdict == Verdict::accept ? Answered::accept : Answered::reject;
}

Answered of_class(double observed, OutputClass exact_class) {
  return answered(judge_class(observed, exact_class, kZero, budget_of(1), Format::f16, true));
}

Answered of_number(double observed, Enclosure exact, const Budget& budget,
                   Format format = Format::f16, bool rounds_away = true) {
  return answered(judge_class(observed, OutputClass::finite, exact, budget, format, rounds_away));
}

TEST(Special, AsksForTheExactClass) {
  const struct {
    OutputClass exact;
    double due;
  } rows[] = {{OutputClass::nan, kNaN},
              {OutputClass::plus_inf, kInfinity},
              {OutputClass::minus_inf, -kInfinity}};
  for (const auto& [exact, due] : rows) {
    for (const double observed : {kNaN, kInfinity, -kInfinity, 0.0, 65504.0}) {
      const bool is_due = std::isnan(due) ? std::isnan(observed) : observed == due;
      EXPECT_EQ(of_class(observed, exact), is_due ? Answered::accept : Answered::reject)
          << observed << " for " << due;
    }
  }
}

TEST(Special, JudgesNothingWhereNoConventionExists) {
  for (const double observed : {kNaN, kInfinity, -kInfinity, 0.0, 17.0}) {
    EXPECT_EQ(of_class(observed, OutputClass::undefined), Answered::accept);
  }
}

TEST(Special, LeavesFiniteNumbersToTheBudget) {
  for (const double observed : {0.0, -0.0, 1e300, -65504.0}) {
    EXPECT_EQ(of_number(observed, kZero, budget_of(0)), Answered::number);
  }
}

TEST(Special, NeverTakesANaNForAFiniteValue) {
  EXPECT_EQ(of_number(kNaN, kZero, budget_of(1e308)), Answered::reject);
  EXPECT_EQ(of_number(kNaN, kZero, budget_of(0, Unbounded::magnitude)), Answered::reject);
}

// Both formats round to infinity from the largest value plus half a step on.
TEST(Special, TakesInfinityForWhatMayRoundToIt) {
  EXPECT_EQ(of_number(kInfinity, {65504, 65504}, budget_of(16)), Answered::accept);
  EXPECT_EQ(of_number(kInfinity, {65504, 65504}, budget_of(15.999)), Answered::reject);
  EXPECT_EQ(of_number(kInfinity, {60000, 60000}, budget_of(60)), Answered::reject);
  EXPECT_EQ(of_number(kInfinity, {60000, 65520}, budget_of(0)), Answered::accept);
  EXPECT_EQ(of_number(kInfinity, {65520, 1e9}, budget_of(0)), Answered::accept);
  EXPECT_EQ(of_number(kInfinity, {0x1.ffp127, 0x1.ffp127}, budget_of(0), Format::bf16),
            Answered::accept);
  EXPECT_EQ(of_number(kInfinity, {0x1.fep127, 0x1.fep127}, budget_of(0x1p118), Format::bf16),
            Answered::reject);
}

TEST(Special, TakesInfinityOnItsOwnSideOnly) {
  EXPECT_EQ(of_number(-kInfinity, {-65504, -65504}, budget_of(16)), Answered::accept);
  EXPECT_EQ(of_number(-kInfinity, {-65504, -65504}, budget_of(15.999)), Answered::reject);
  EXPECT_EQ(of_number(-kInfinity, {65504, 65504}, budget_of(16)), Answered::reject);
  EXPECT_EQ(of_number(kInfinity, {-65504, -65504}, budget_of(16)), Answered::reject);
}

TEST(Special, TakesNoInfinityFromAnOutputRoundedTowardZero) {
  EXPECT_EQ(of_number(kInfinity, {1e9, 1e9}, budget_of(0), Format::f16, false), Answered::reject);
}

TEST(Special, ExplainsAnyClassWhereAnIntermediateMayLeaveItsRange) {
  for (const double observed : {kNaN, kInfinity, -kInfinity, 0.0, 3.0}) {
    EXPECT_EQ(of_number(observed, kZero, budget_of(0, Unbounded::range)), Answered::accept);
  }
  // A NaN that is due is still due: the range only explains finite answers.
  EXPECT_EQ(answered(judge_class(0.0, OutputClass::nan, kZero, budget_of(0, Unbounded::range),
                                 Format::f16, true)),
            Answered::reject);
}

TEST(Special, JudgesTheClassAloneWhereTheBoundTellsNothing) {
  for (const double observed : {kInfinity, -kInfinity, 0.0, 3.0}) {
    EXPECT_EQ(of_number(observed, kZero, budget_of(0, Unbounded::magnitude)), Answered::accept);
  }
}

TEST(Special, BreaksTheContractOnARowWhoseValueIsDeclared) {
  EXPECT_DEATH((void)of_class(0.0, OutputClass::dead), "declared");
  EXPECT_DEATH((void)of_class(0.0, OutputClass::beyond), "declared");
}

TEST(Special, AsksDeadRowsForTheirDeclaredOutput) {
  const struct {
    DeadO declared;
    Answered zero;
    Answered nan;
    Answered one;
  } rows[] = {{DeadO::zero, Answered::accept, Answered::reject, Answered::reject},
              {DeadO::nan, Answered::reject, Answered::accept, Answered::reject},
              {DeadO::unspecified, Answered::number, Answered::number, Answered::number}};
  for (const auto& row : rows) {
    Semantics semantics;
    semantics.dead_o = row.declared;
    const auto of = [&](double observed) {
      return answered(judge_declared_o(observed, OutputClass::dead, semantics));
    };
    EXPECT_EQ(of(0.0), row.zero);
    EXPECT_EQ(of(-0.0), row.zero);
    EXPECT_EQ(of(kNaN), row.nan);
    EXPECT_EQ(of(1.0), row.one);
    EXPECT_EQ(of(kInfinity), row.one);
  }
}

TEST(Special, AsksDeadRowsForTheirDeclaredLse) {
  const struct {
    DeadLse declared;
    Answered minus;
    Answered plus;
    Answered other;
  } rows[] = {{DeadLse::minus_inf, Answered::accept, Answered::reject, Answered::reject},
              {DeadLse::plus_inf, Answered::reject, Answered::accept, Answered::reject},
              {DeadLse::unspecified, Answered::number, Answered::number, Answered::number}};
  for (const auto& row : rows) {
    Semantics semantics;
    semantics.dead_lse = row.declared;
    const auto of = [&](double observed) {
      return answered(judge_declared_lse(observed, OutputClass::dead, semantics));
    };
    EXPECT_EQ(of(-kInfinity), row.minus);
    EXPECT_EQ(of(kInfinity), row.plus);
    EXPECT_EQ(of(kNaN), row.other);
    EXPECT_EQ(of(-1e4), row.other);
  }
}

TEST(Special, AsksRowsBeyondTheLengthOnlyWhereZeroIsDeclared) {
  for (const auto beyond :
       {BeyondLengths::zero, BeyondLengths::untouched, BeyondLengths::unspecified}) {
    Semantics semantics;
    semantics.beyond_lengths = beyond;
    semantics.dead_lse = DeadLse::minus_inf;
    const bool due = beyond == BeyondLengths::zero;
    const auto o = [&](double observed) {
      return answered(judge_declared_o(observed, OutputClass::beyond, semantics));
    };
    const auto lse = [&](double observed) {
      return answered(judge_declared_lse(observed, OutputClass::beyond, semantics));
    };
    EXPECT_EQ(o(0.0), due ? Answered::accept : Answered::number);
    EXPECT_EQ(o(kNaN), due ? Answered::reject : Answered::number);
    EXPECT_EQ(lse(-kInfinity), due ? Answered::accept : Answered::number);
    EXPECT_EQ(lse(kNaN), due ? Answered::reject : Answered::number);
  }
}

}  // namespace
}  // namespace attest::special_test
