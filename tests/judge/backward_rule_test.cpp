// Goal: a declaration becomes a recipe only if nothing that the backward does is left open, and the
// recipe says what was declared.
#include "judge/backward_rule.hpp"

#include <gtest/gtest.h>

#include "tests/judge/judged_gradients.hpp"

namespace attest::backward_rule_test {
namespace {

Problem grouped() {
  Problem p;
  p.pass = Pass::bwd;
  p.heads_q = 2;
  return p;
}

TEST(BackwardRule, NeedsEveryFieldOfABackward) {
  ASSERT_TRUE(backward_rule(grouped(), exact_backward()));
  for (const char* key : {"unit", "exponent", "exp2", "exp_ftz", "p_format", "p_truncated", "ftz",
                          "o_format", "o_rounding", "o_ftz", "d_source", "p_in_ds", "ds_format",
                          "dq_sum", "tile_q", "group_sum"}) {
    EXPECT_FALSE(backward_rule(grouped(), exact_backward(std::string(key) + "=unknown"))) << key;
  }
}

TEST(BackwardRule, AsksForTheSumOfAGroupOnlyWhereThereIsOne) {
  Problem p = grouped();
  p.heads_q = 1;
  EXPECT_TRUE(backward_rule(p, exact_backward("group_sum=unknown")));
}

TEST(BackwardRule, KnowsDotProductsWhereTheirOrderIsDeclaredAndTheUnitHasARule) {
  EXPECT_FALSE(backward_rule(grouped(), exact_backward())->dots_known);
  EXPECT_FALSE(backward_rule(grouped(), exact_backward("dot_order=any"))->dots_known);
  EXPECT_TRUE(backward_rule(grouped(), exact_backward("dot_order=ascending"))->dots_known);
  EXPECT_FALSE(
      backward_rule(grouped(), exact_backward("dot_order=ascending;unit=device"))->dots_known);
}

TEST(BackwardRule, SaysWhatWasDeclared) {
  const auto rule = backward_rule(
      grouped(), exact_backward("p_format=bf16;p_truncated=yes;ds_format=f16;o_format=bf16;"
                                "o_rounding=toward_zero;o_ftz=yes;d_source=p_dp;p_in_ds=rounded;"
                                "group_sum=per_head:f16"));
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->p.format, Format::bf16);
  EXPECT_EQ(rule->p.rounding, Rounding::toward_zero);
  EXPECT_EQ(rule->ds.format, Format::f16);
  EXPECT_EQ(rule->ds.rounding, Rounding::nearest_even);
  EXPECT_EQ(rule->output.format, Format::bf16);
  EXPECT_EQ(rule->output.rounding, Rounding::toward_zero);
  EXPECT_TRUE(rule->output.flushed);
  EXPECT_EQ(rule->d_source, DSource::p_dp);
  EXPECT_TRUE(rule->p_rounded_in_ds);
  ASSERT_TRUE(rule->head);
  EXPECT_EQ(rule->head->format, Format::f16);
}

}  // namespace
}  // namespace attest::backward_rule_test
