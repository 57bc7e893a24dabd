// Goal: a broken contract ends the process in every build and says where; a kept one costs nothing.
#include "core/contract.hpp"

#include <gtest/gtest.h>

namespace attest::contract_test {
namespace {

TEST(ContractDeathTest, NamesTheConditionAndThePlace) {
  const int budget = -1;
  EXPECT_DEATH(ATTEST_EXPECTS(budget >= 0), "broken contract: budget >= 0 at .*contract_test.cpp:");
}

TEST(Contract, EvaluatesAKeptConditionOnce) {
  int evaluations = 0;
  ATTEST_EXPECTS(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

TEST(Contract, IsAnExpressionThatFitsBelowAnIf) {
  bool reached = false;
  if (reached)
    ATTEST_EXPECTS(false);
  else
    reached = true;
  EXPECT_TRUE(reached);
}

}  // namespace
}  // namespace attest::contract_test
