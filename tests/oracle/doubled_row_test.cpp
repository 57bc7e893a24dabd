// Goal: what doubled numbers prove holds the multiprecision answer, nearly as narrow and with
// moments as sharp, on easy and adversarial data; and what they cannot do goes up the ladder.
#include "oracle/doubled_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "tests/oracle/doubled_containment.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::doubled_row_test {
namespace {

TEST(DoubledRow, HoldsTheMultiprecisionAnswerOfDrawnCases) {
  ComparedRows all;
  for (std::uint64_t index = 0; index < 480 && !::testing::Test::HasFailure(); ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    SCOPED_TRACE("case " + std::to_string(index) + " kind " + std::to_string(int(drawn.kind)) +
                 ' ' + to_string(drawn.problem));
    expect_doubled_rows_hold(drawn.problem, drawn.inputs, all);
    if (drawn.problem.in != Format::f32) continue;
    expect_doubled_rows_hold(drawn.problem, with_all_bits(drawn.inputs), all);
  }
  EXPECT_GE(all.by_itself, 3'000);
}

Problem two_keys(Format format) {
  Problem p;
  p.in = p.out = format;
  p.n_k = 2;
  p.scale = 1;
  return p;
}

int bits_of(const Problem& p, double second_key) {
  Inputs inputs = zero_inputs(p);
  inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, 1));
  inputs.k.view().set_bits(0, 0, 1, 0, round_to_bits(p.in, second_key));
  return enclose_forward(p, inputs, Precision::doubled).bits[0];
}

TEST(DoubledRow, LeavesWideInputsToMultiprecision) {
  EXPECT_EQ(bits_of(two_keys(Format::f32), 1), kDoubledBits);
  EXPECT_EQ(bits_of(two_keys(Format::f64), 1), 168);
}

TEST(DoubledRow, WorksKeysHoweverFarBelow) {
  for (const double gap : {500.0, 599.0, 601.0, 700.0, 1100.0, 1e5, 1e30}) {
    EXPECT_EQ(bits_of(two_keys(Format::f32), -gap), kDoubledBits) << gap;
  }
}

// A query of three features against cancelling keys: more digits than two binary64 hold.
TEST(DoubledRow, LeavesScoresThatCancelTooFarToMultiprecision) {
  Problem p = two_keys(Format::f32);
  p.d_qk = 3;
  Inputs inputs = zero_inputs(p);
  const double k[] = {0x1p100, 1, -0x1p100};
  for (Index c = 0; c < 3; ++c) {
    inputs.q.view().set_bits(0, 0, 0, c, round_to_bits(p.in, 1));
    inputs.k.view().set_bits(0, 0, 1, c, round_to_bits(p.in, k[c]));
  }
  EXPECT_EQ(enclose_forward(p, inputs, Precision::doubled).bits[0], 168);
}

// Rows with keys more than 700 below the maximum, which binary64 leaves to this rung.
TEST(DoubledRow, GivesTheSameBitsBehindBinary64ForAnyNumberOfThreads) {
  Problem p = two_keys(Format::f32);
  p.n_q = 300;
  p.n_k = 40;
  p.d_qk = p.d_v = 9;
  const Inputs inputs = with_all_bits(draw_values(p, ValueKind::one_hot, 5));
  const Answer one = enclose_in_binary64(p, inputs, 1);
  EXPECT_GE(std::ranges::count(one.bits, kDoubledBits), 100);
  for (const int threads : {2, 5}) {
    const Answer many = enclose_in_binary64(p, inputs, threads);
    EXPECT_EQ(many.bits, one.bits);
    EXPECT_EQ(many.o, one.o);
    EXPECT_EQ(many.lse, one.lse);
    for (std::size_t e = 0; e < one.elements.size(); ++e) {
      ASSERT_EQ(many.elements[e].sum_pi_dev, one.elements[e].sum_pi_dev);
    }
  }
}

}  // namespace
}  // namespace attest::doubled_row_test
