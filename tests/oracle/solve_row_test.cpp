// Goal: a row climbs the ladder exactly when its scores need it, stays narrow when it does, and
// where even the cap does not help the answer is a hull that still holds the truth.
#include "oracle/solve_row.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "tests/oracle/arb_oracle.hpp"

namespace attest::solve_row_test {
namespace {

// Two keys against one query of three features; every value exact in the format.
struct Pair {
  Problem p;
  Inputs inputs;

  Pair(Format format, double q, double big, double small) {
    p.in = p.out = format;
    p.n_k = 2;
    p.d_qk = 3;
    inputs = zero_inputs(p);
    for (Index d = 0; d < 3; ++d) set(inputs.q, 0, d, d == 1 ? 1.0 : q);
    for (Index j = 0; j < 2; ++j) {
      // q big + small j - q big: the small term drowns unless the precision spans both.
      set(inputs.k, j, 0, big);
      set(inputs.k, j, 1, small * static_cast<double>(j + 1));
      set(inputs.k, j, 2, -big);
      set(inputs.v, j, 0, j == 0 ? 1.0 : -2.0);
    }
  }
  void set(Tensor& tensor, Index row, Index column, double value) const {
    tensor.view().set_bits(0, 0, row, column, round_to_bits(p.in, value));
    ASSERT_EQ(tensor.view().value(0, 0, row, column), value);
  }
};

void expect_narrow_and_right(const Pair& pair, const Answer& answer) {
  const ArbRow arb = arb_row(pair.p, pair.inputs, 0, 0, 0);
  EXPECT_LE(answer.o[0].hi - answer.o[0].lo, 0x1p-50 * answer.elements[0].sum_pi_abs_v);
  EXPECT_LE(answer.lse[0].hi - answer.lse[0].lo, 0x1p-50 * std::fabs(answer.lse[0].hi));
  EXPECT_LE(answer.o[0].lo, arb.o[0].ends().hi);
  EXPECT_GE(answer.o[0].hi, arb.o[0].ends().lo);
  EXPECT_LE(answer.lse[0].lo, arb.lse.ends().hi);
  EXPECT_GE(answer.lse[0].hi, arb.lse.ends().lo);
}

TEST(SolveRow, StaysOnTheFirstRungForOrdinaryScores) {
  const Pair pair(Format::bf16, 4, 2, 0.75);
  const Answer answer = enclose_forward(pair.p, pair.inputs);
  EXPECT_EQ(answer.bits[0], 168);
  expect_narrow_and_right(pair, answer);
}

TEST(SolveRow, ClimbsWhenBf16ScoresCancelBeyondFiftyDigits) {
  const Pair pair(Format::bf16, 0x1p110, 0x1p110, 0.75);
  const Answer answer = enclose_forward(pair.p, pair.inputs);
  EXPECT_EQ(answer.bits[0], 334);
  expect_narrow_and_right(pair, answer);
}

TEST(SolveRow, ClimbsTwiceForF32AtBothEndsOfItsRange) {
  Pair pair(Format::f32, 0x1p126, 0x1p126, 0x1p-100);
  pair.p.scale = 0x1p100f;
  const Answer answer = enclose_forward(pair.p, pair.inputs);
  EXPECT_EQ(answer.bits[0], 666);
  expect_narrow_and_right(pair, answer);
}

TEST(SolveRow, NeverWorksBelowThePrecisionAsked) {
  const Pair pair(Format::f16, 4, 2, 0.75);
  EXPECT_EQ(enclose_forward(pair.p, pair.inputs, Precision::digits200).bits[0], 666);
  EXPECT_EQ(enclose_forward(pair.p, pair.inputs, Precision::digits400).bits[0], 1330);
}

// 2^2000 + 1 - 2^2000 needs 2,001 bits, more than the cap has, and binary64 cannot even hold
// the magnitudes. The scores are 1 and 2.
TEST(SolveRow, FallsBackToTheHullWhenTheCapIsTooLow) {
  const Pair pair(Format::f64, 0x1p1000, 0x1p1000, 1);
  const Answer answer = enclose_forward(pair.p, pair.inputs);
  EXPECT_EQ(answer.bits[0], 1330);
  EXPECT_EQ(answer.o_class[0], OutputClass::finite);
  EXPECT_EQ(answer.o[0], (Enclosure{-2, 1}));
  EXPECT_LE(answer.lse[0].lo, 1);
  EXPECT_GE(answer.lse[0].hi, 2 + std::log(2.0));
  EXPECT_GE(answer.rows[0].sum_pi[kOne], 1);
  EXPECT_EQ(answer.rows[0].sum_exp, (Enclosure{1, 2}));
  EXPECT_GE(answer.elements[0].sum_dev, 3);
}

TEST(SolveRow, AHullWithFiniteMagnitudesBoundsTheLse) {
  // 2^1010 + 2^-1022 - 2^1010 with magnitudes that binary64 holds: the error is about 2^13.
  Pair pair(Format::f64, 0x1p505, 0x1p505, 0x1p-1000);
  const Answer answer = enclose_forward(pair.p, pair.inputs);
  EXPECT_EQ(answer.bits[0], 1330);
  EXPECT_EQ(answer.o[0], (Enclosure{-2, 1}));
  EXPECT_LE(answer.lse[0].lo, 0);
  EXPECT_GE(answer.lse[0].hi, std::log(2.0));
  EXPECT_LE(answer.lse[0].hi, 0x1p20);
}

}  // namespace
}  // namespace attest::solve_row_test
