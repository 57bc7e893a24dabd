// Goal: whatever the stored operands are, within their sets, and in whatever order they are added,
// the computed sum lies between the ends; and zeros cost nothing.
#include "judge/replayed_sums.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "judge/arithmetic.hpp"
#include "tests/judge/dice.hpp"

namespace attest::replayed_sums_test {
namespace {

constexpr double kEta = 0x1p-149;

double gam_of(Index products) {
  const double raw = static_cast<double>(products) * kU;
  return raw / (1 - raw);
}

// Rows of one column.
Tensor column_of(const std::vector<double>& values) {
  Tensor tensor(Format::bf16, {1, 1, static_cast<Index>(values.size()), 1});
  for (std::size_t n = 0; n < values.size(); ++n) {
    set(tensor, 0, 0, static_cast<Index>(n), 0, values[n]);
  }
  return tensor;
}

struct Terms {
  std::vector<RoundedSet> stored;
  std::vector<double> x;

  [[nodiscard]] Range32 sum() const {
    const Tensor tensor = column_of(x);
    const OperandRows rows(tensor.view(), 0, 0, 0);
    ReplayedSums sums(1, 1);
    for (std::size_t n = 0; n < x.size(); ++n) {
      sums.add(0, 0, stored[n], 0, rows.row(static_cast<Index>(n)));
    }
    return sums.sum(0, 0, gam_of(sums.row(0).products), kEta);
  }
};

Terms draw_terms(ClimbDice& dice) {
  Terms terms;
  for (Index n = dice.between(1, 40); n > 0; --n) {
    const double y = std::ldexp(dice.real(1), static_cast<int>(dice.between(-30, 3)));
    const double off = dice.one_in(3) ? std::fabs(y) * 0x1p-7 : 0;
    terms.stored.push_back(rounded_set(y - off, y + off, {Format::bf16}));
    terms.x.push_back(round_to_format(Format::bf16, dice.one_in(8) ? 0 : dice.real(4)));
  }
  return terms;
}

float chain(const Terms& terms, const std::vector<std::size_t>& order, ClimbDice& dice) {
  float sum = 0;
  for (const std::size_t n : order) {
    const RoundedSet& set = terms.stored[n];
    const double y = dice.any_of({set.lo, set.hi});
    sum = std::fma(static_cast<float>(y), static_cast<float>(terms.x[n]), sum);
  }
  return sum;
}

TEST(ReplayedSums, HoldTheSumOfAnyStoredValuesInAnyOrder) {
  ClimbDice dice(11);
  for (int n = 0; n < 500; ++n) {
    const Terms terms = draw_terms(dice);
    const Range32 sum = terms.sum();
    std::vector<std::size_t> order(terms.x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int m = 0; m < 10; ++m) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[dice.below(i)]);
      const float computed = chain(terms, order, dice);
      EXPECT_LE(sum.lo, computed);
      EXPECT_GE(sum.hi, computed);
    }
  }
}

TEST(ReplayedSums, OfKnownOperandsLeaveOpenWhatAccumulationMay) {
  const Terms terms{{{1, 1}, {-1, -1}, {0.5, 0.5}}, {1, 1, 1}};
  const Range32 sum = terms.sum();
  EXPECT_GE(sum.lo, 0.5 - 3 * 2.5 * kU * 1.001);
  EXPECT_LE(sum.hi, 0.5 + 3 * 2.5 * kU * 1.001);
}

TEST(ReplayedSums, OfZerosAreExact) {
  const Range32 sum = Terms{{{0, 0}, {1, 2}}, {3, 0}}.sum();
  EXPECT_EQ(sum.lo, 0);
  EXPECT_EQ(sum.hi, 0);
}

TEST(ReplayedSums, CountProductsAndTheTilesThatHoldOne) {
  const Tensor tensor = column_of({1});
  const OperandRows rows(tensor.view(), 0, 0, 0);
  ReplayedSums sums(1, 1);
  for (const Index tile : {0, 0, 2, 5}) sums.add(0, tile, {1, 1}, 0, rows.row(0));
  sums.add(0, 7, {0, 0}, 0, rows.row(0));
  EXPECT_EQ(sums.row(0).products, 4);
  EXPECT_EQ(sums.row(0).tiles, 3);
  sums.clear();
  EXPECT_EQ(sums.row(0).products, 0);
}

TEST(ReplayedSums, TakeTinyOperandsForAsLargeAsAUnitSeesThem) {
  const Tensor tensor = column_of({0x1p-20});
  const OperandRows rows(tensor.view(), 0, 0, 0x1p-14);
  EXPECT_EQ(rows.row(0).seen[0], 0x1p-14);
  EXPECT_EQ(rows.row(0).x[0], 0x1p-20);
  ReplayedSums sums(1, 1);
  sums.add(0, 0, {0x1p-20, 0x1p-20}, 0x1p-14, rows.row(0));
  const Range32 sum = sums.sum(0, 0, kU, 0);
  EXPECT_LE(sum.lo, 0x1p-40 - 0.99 * kU * 0x1p-28);
}

TEST(ReplayedSums, AreUnknownWhereTheyMayOverflow) {
  const Terms terms{{{0x1p120, 0x1p120}, {-0x1p120, -0x1p120}}, {128, 128}};
  EXPECT_FALSE(terms.sum().is_finite());
}

}  // namespace
}  // namespace attest::replayed_sums_test
