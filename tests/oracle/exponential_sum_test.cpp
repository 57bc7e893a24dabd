// Goal: a sum of exponentials that is exactly 0 is known to be, one that is not has its sign told
// however near to 0 it lies within 400 digits, and beyond that nothing is said.
#include "oracle/exponential_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace attest::exponential_sum_test {
namespace {

std::optional<int> sign_of(const std::vector<std::pair<double, double>>& terms) {
  std::vector<ExponentialTerm> exact;
  for (const auto& [exponent, coefficient] : terms) {
    exact.push_back({ExactReal(exponent), ExactReal(coefficient)});
  }
  return sign_of_sum(std::move(exact));
}

TEST(ExponentialSum, IsZeroOnlyWhereGroupsOfEqualExponentsCancel) {
  EXPECT_EQ(sign_of({}), 0);
  EXPECT_EQ(sign_of({{3, 1}, {3, -1}}), 0);
  EXPECT_EQ(sign_of({{-7, 0.5}, {2, 1}, {-7, -0.25}, {2, -1}, {-7, -0.25}}), 0);
  EXPECT_EQ(sign_of({{2, 1}, {2, -1}, {0, 1}}), 1);
  EXPECT_EQ(sign_of({{2, 1}, {2, -1}, {0, -0x1p-1000}}), -1);
}

TEST(ExponentialSum, SeesTheLargestGroupThatIsLeftHoweverFarBelow) {
  EXPECT_EQ(sign_of({{1e6, 1}, {1e6, -1}, {-1e6, -1}}), -1);
  EXPECT_EQ(sign_of({{0, 0x1p-900}, {-700, -1}}), 1);   // e^-700 is about 2^-1010,
  EXPECT_EQ(sign_of({{0, 0x1p-900}, {-600, -1}}), -1);  // e^-600 is about 2^-866
  EXPECT_EQ(sign_of({{0, 0x1p-300}, {-1e300, -1}}), 1);
}

TEST(ExponentialSum, TellsASignThatOnlyManyDigitsShow) {
  // 1 - e^-x with x down to 2^-1000.
  for (const int exponent : {-10, -100, -300, -1000}) {
    EXPECT_EQ(sign_of({{0, 1}, {-std::ldexp(1.0, exponent), -1}}), 1);
  }
}

TEST(ExponentialSum, SaysNothingBeyond400Digits) {
  EXPECT_EQ(sign_of({{1, 1}, {1, 0x1p-1074}, {1, 0x1p+1023}, {0, 1}}), std::nullopt);
}

}  // namespace
}  // namespace attest::exponential_sum_test
