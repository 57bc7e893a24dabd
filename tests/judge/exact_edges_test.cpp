// Goal: a value at the very edge of its derived budget stays open on every rung, is listed, and is
// accepted once exact arithmetic has spoken; one step of binary64 beyond it is rejected.
#include <gtest/gtest.h>

#include <cmath>

#include "judge/forward_budget.hpp"
#include "judge/judge_forward.hpp"
#include "oracle/decide_exactly.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/judge/declarations.hpp"

namespace attest::exact_edges_test {
namespace {

// Two keys tie with opposite values, so that O = 0 and an edge of a budget is a number of binary64.
class ExactEdges : public testing::Test {
 protected:
  ExactEdges() {
    p_.in = Format::f32;
    p_.out = Format::f64;
    p_.n_k = 2;
    p_.scale = 1;
    inputs_ = zero_inputs(p_);
    for (Index j = 0; j < 2; ++j) {
      inputs_.k.view().set_bits(0, 0, j, 0, round_to_bits(p_.in, 0.75));
      inputs_.v.view().set_bits(0, 0, j, 0, round_to_bits(p_.in, j == 0 ? 1.25 : -1.25));
    }
    inputs_.q.view().set_bits(0, 0, 0, 0, round_to_bits(p_.in, 1));
  }

  [[nodiscard]] Answer answer_at(Precision precision) const {
    return enclose_forward(p_, inputs_, precision);
  }

  [[nodiscard]] double budget_from(const Answer& answer) const {
    const RowBudget row = prepare_row(p_, resolve(numerics_, p_), answer.rows[0]);
    return budget_of_o(row, answer.elements[0], answer.o[0]).total;
  }

  [[nodiscard]] Judgement judge(const Answer& answer, double observed) const {
    Tensor o(p_.out, p_.o_extents());
    Tensor lse(Format::f32, p_.lse_extents());
    o.view().set_bits(0, 0, 0, 0, round_to_bits(p_.out, observed));
    lse.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f32, answer.lse[0].lo));
    return judge_forward(p_, answer, numerics_, {}, o.view(), lse.view(), Rows::live);
  }

  Problem p_;
  Inputs inputs_;
  Numerics numerics_ = changed(sharpest(), "o_format=f64");
};

TEST_F(ExactEdges, StayOpenOnEveryRungAndAreAcceptedByExactArithmetic) {
  for (const Precision precision :
       {Precision::doubled, Precision::digits50, Precision::digits100, Precision::digits400}) {
    Answer answer = answer_at(precision);
    const double budget = budget_from(answer);
    for (const double observed : {budget, -budget}) {
      answer.decisions.clear();
      const Judgement open = judge(answer, observed);
      ASSERT_EQ(open.verdict(), Verdict::undecided);
      ASSERT_EQ(open.open.size(), 1U);
      EXPECT_FALSE(open.open[0].of_lse);
      EXPECT_EQ(open.open[0].at, 0U);
      EXPECT_EQ(open.open[0].budget, budget);
      const auto within = is_within(p_, inputs_, 0, 0, observed, budget);
      ASSERT_EQ(within, true);
      answer.decisions.push_back({false, 0, observed, budget, *within});
      const Judgement decided = judge(answer, observed);
      EXPECT_EQ(decided.verdict(), Verdict::accept);
      EXPECT_TRUE(decided.open.empty());
    }
  }
}

TEST_F(ExactEdges, AreRejectedOneStepBeyond) {
  for (const Precision precision : {Precision::doubled, Precision::digits400}) {
    Answer answer = answer_at(precision);
    const double budget = budget_from(answer);
    const double beyond = std::nextafter(budget, 1.0);
    EXPECT_EQ(is_within(p_, inputs_, 0, 0, beyond, budget), false);
    answer.decisions.push_back({false, 0, beyond, budget, false});
    EXPECT_EQ(judge(answer, beyond).verdict(), Verdict::reject);
  }
}

TEST_F(ExactEdges, HeedADecisionAboutOtherNumbersNowhere) {
  Answer answer = answer_at(Precision::digits50);
  const double budget = budget_from(answer);
  const double other = std::nextafter(budget, 1.0);
  answer.decisions = {{false, 0, budget, other, true},
                      {false, 0, other, budget, true},
                      {true, 0, budget, budget, true},
                      {false, 1, budget, budget, true}};
  EXPECT_EQ(judge(answer, budget).verdict(), Verdict::undecided);
}

}  // namespace
}  // namespace attest::exact_edges_test
