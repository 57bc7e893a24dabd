// Goal: every output has the class that arithmetic over the extended reals gives it, and a class is
// decided by live keys only.
#include "oracle/classes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/enclose_forward.hpp"

namespace attest::classes_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// One query row of two features against three keys with two columns of V; scores 1, 2, 3.
struct Row {
  Problem p;
  Inputs inputs;

  explicit Row(Format format = Format::bf16) {
    p.in = p.out = format;
    p.n_k = 3;
    p.d_qk = 2;
    p.d_v = 2;
    inputs = zero_inputs(p);
    set_q(0, 1);
    set_q(1, 1);
    for (Index j = 0; j < 3; ++j) {
      set_k(j, 0, static_cast<double>(j + 1));
      set_v(j, 0, static_cast<double>(j));
      set_v(j, 1, -1);
    }
  }
  void set(Tensor& tensor, Index row, Index column, double value) const {
    tensor.view().set_bits(0, 0, row, column, round_to_bits(p.in, value));
  }
  void set_q(Index column, double value) { set(inputs.q, 0, column, value); }
  void set_k(Index j, Index column, double value) { set(inputs.k, j, column, value); }
  void set_v(Index j, Index column, double value) { set(inputs.v, j, column, value); }
  [[nodiscard]] Answer answer() const { return enclose_forward(p, inputs); }
};

void expect_classes(const Row& row, OutputClass lse, OutputClass o0, OutputClass o1) {
  const Answer answer = row.answer();
  EXPECT_EQ(answer.lse_class[0], lse);
  EXPECT_EQ(answer.o_class[0], o0);
  EXPECT_EQ(answer.o_class[1], o1);
}

using enum OutputClass;

TEST(Classes, AreFiniteForFiniteInputs) { expect_classes(Row(), finite, finite, finite); }

TEST(Classes, ANaNInQueryOrLiveKeyTakesTheWholeRow) {
  Row q;
  q.set_q(1, kNaN);
  expect_classes(q, nan, nan, nan);
  Row k;
  k.set_k(1, 0, kNaN);
  expect_classes(k, nan, nan, nan);
}

TEST(Classes, APlusInfiniteScoreHasNoSoftmax) {
  Row row;
  row.set_k(1, 0, kInf);
  expect_classes(row, nan, nan, nan);
}

TEST(Classes, InfinityTimesZeroAndInfinityMinusInfinityAreNaNScores) {
  Row product;
  product.set_q(1, 0);
  product.set_k(0, 1, -kInf);
  expect_classes(product, nan, nan, nan);
  Row sum;
  sum.set_k(0, 0, kInf);
  sum.set_k(0, 1, -kInf);
  expect_classes(sum, nan, nan, nan);
}

TEST(Classes, AMinusInfiniteScoreIsAWeightOfZero) {
  Row row;
  row.set_k(2, 0, -kInf);
  expect_classes(row, finite, finite, finite);
  // What remains are keys 0 and 1: O is between their values, and nearer to key 1.
  const Answer answer = row.answer();
  EXPECT_GT(answer.o[0].lo, 0.5);
  EXPECT_LT(answer.o[0].hi, 1.0);
  EXPECT_EQ(answer.rows[0].live_keys, 3);
  EXPECT_EQ(answer.rows[0].argmax, 1);
  EXPECT_EQ(answer.rows[0].max_live_abs_score, kInf);
  EXPECT_EQ(answer.rows[0].max_abs_dot, kInf);
  EXPECT_EQ(answer.rows[0].far_keys, 1);
  EXPECT_EQ(answer.rows[0].max_score.lo, 2.0);
}

TEST(Classes, ARowOfMinusInfiniteScoresHasNoDefinedOutput) {
  Row row;
  for (Index j = 0; j < 3; ++j) row.set_k(j, 1, -kInf);
  row.set_v(1, 1, kNaN);
  expect_classes(row, undefined, undefined, nan);
}

TEST(Classes, ANaNInVTakesOneColumn) {
  Row row;
  row.set_v(1, 1, kNaN);
  expect_classes(row, finite, finite, nan);
  EXPECT_EQ(row.answer().elements[1].sum_abs_v, 0);
  EXPECT_GT(row.answer().elements[0].sum_abs_v, 0);
}

TEST(Classes, AnInfinityInVGoesThroughWithItsSign) {
  Row row;
  row.set_v(0, 0, kInf);
  row.set_v(1, 1, -kInf);
  expect_classes(row, finite, plus_inf, minus_inf);
  row.set_v(2, 0, -kInf);
  expect_classes(row, finite, nan, minus_inf);
}

TEST(Classes, AnInfinityInVUnderAWeightOfZeroIsUndefinedAndANaNThereIsNaN) {
  Row row;
  row.set_k(2, 0, -kInf);
  row.set_v(2, 0, kInf);
  row.set_v(2, 1, kNaN);
  expect_classes(row, finite, undefined, nan);
}

TEST(Classes, AnInfinityInVIsUndefinedWhereAKernelMayLoseItsWeight) {
  Row row;  // the largest score is 3
  row.set_v(0, 0, kInf);
  row.set_k(0, 0, -5);
  expect_classes(row, finite, plus_inf, finite);
  for (const double far : {-8.0, -0x1p20}) {
    row.set_k(0, 0, far);
    expect_classes(row, finite, undefined, finite);
  }
}

// -max - max is -inf in binary32, and -inf + inf is NaN.
TEST(Classes, AnInfinityInVIsUndefinedBesideFiniteValuesThatMayOverflowAgainstIt) {
  Row row(Format::bf16);
  row.set_v(0, 0, kInf);
  row.set_v(1, 0, -0x1p122);
  row.set_v(2, 0, -0x1p122);
  expect_classes(row, finite, plus_inf, finite);
  row.set_v(1, 0, -0x1.fep127);
  expect_classes(row, finite, undefined, finite);
}

TEST(Classes, ScoresBeyondBinary64AreFinite) {
  Row row(Format::f64);
  row.set_q(0, 0x1p1000);
  row.set_k(2, 0, 0x1p1000);
  expect_classes(row, finite, finite, finite);
  const Answer answer = row.answer();
  EXPECT_EQ(answer.lse[0].lo, std::numeric_limits<double>::max());
  EXPECT_EQ(answer.lse[0].hi, kInf);
  EXPECT_LE(answer.o[0].lo, 2.0);
  EXPECT_GE(answer.o[0].hi, 2.0);
}

TEST(Classes, KeysBehindTheMaskMayHoldAnything) {
  Row row;
  row.p.lk = {2};
  row.set_k(2, 0, kNaN);
  row.set_v(2, 0, kNaN);
  row.set_v(2, 1, kInf);
  expect_classes(row, finite, finite, finite);
}

TEST(Classes, RowsWithoutALiveKeyAreDead) {
  Row none;
  none.p.lk = {0};
  expect_classes(none, dead, dead, dead);
  Row band;
  band.p.left = -5;
  expect_classes(band, dead, dead, dead);
  band.set_q(0, kNaN);
  expect_classes(band, dead, dead, dead);
  EXPECT_EQ(band.answer().rows[0].live_keys, 0);
}

TEST(Classes, RowsAtOrBeyondTheLengthAreBeyond) {
  Row row;
  row.p.lq = {0};
  expect_classes(row, beyond, beyond, beyond);
}

TEST(Classes, AProblemWithoutKeysIsDeadThroughout) {
  Problem p;
  p.n_q = 3;
  p.n_k = 0;
  p.d_v = 2;
  const Answer answer = enclose_forward(p, zero_inputs(p));
  for (const OutputClass c : answer.lse_class) EXPECT_EQ(c, dead);
  for (const OutputClass c : answer.o_class) EXPECT_EQ(c, dead);
  ASSERT_EQ(answer.o_class.size(), 6u);
}

}  // namespace
}  // namespace attest::classes_test
