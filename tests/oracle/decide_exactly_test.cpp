// Goal: outputs at the very edge of a budget are accepted, a step beyond is rejected, where O or
// LSE is rational and where it misses a rational by less than any binary64 shows.
#include "oracle/decide_exactly.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/enclose_forward.hpp"

namespace attest::decide_exactly_test {
namespace {

// One query q = 1, keys that are their scores, and one column of V.
struct OneRow {
  Problem p;
  Inputs inputs;

  OneRow(Format format, const std::vector<double>& scores, const std::vector<double>& v) {
    p.in = p.out = format;
    p.n_k = static_cast<Index>(scores.size());
    p.scale = 1;
    inputs = zero_inputs(p);
    inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(format, 1));
    for (std::size_t n = 0; n < scores.size(); ++n) {
      const auto j = static_cast<Index>(n);
      inputs.k.view().set_bits(0, 0, j, 0, round_to_bits(format, scores[n]));
      inputs.v.view().set_bits(0, 0, j, 0, round_to_bits(format, v[n]));
    }
  }

  [[nodiscard]] std::optional<bool> o_within(double observed, double budget) const {
    return is_within(p, inputs, 0, 0, observed, budget);
  }
  [[nodiscard]] std::optional<bool> lse_within(double observed, double budget) const {
    return is_within(p, inputs, 0, std::nullopt, observed, budget);
  }
};

// O = r exactly: within at the edge on either side, not one step of the budget less.
void expect_edge_at(const OneRow& row, double r) {
  for (const double distance : {0x1p-7, 0x1.8p-3, 0x1p-40}) {
    for (const double observed : {r - distance, r + distance}) {
      EXPECT_EQ(row.o_within(observed, distance), true);
      EXPECT_EQ(row.o_within(observed, std::nextafter(distance, 0.0)), false);
      EXPECT_EQ(row.o_within(observed, std::nextafter(distance, 1.0)), true);
    }
  }
  EXPECT_EQ(row.o_within(r, 0), true);
}

TEST(DecideExactly, KnowsATieAOneHotRowAndAConstantColumn) {
  expect_edge_at(OneRow(Format::f16, {3, 3}, {0, 1}), 0.5);
  expect_edge_at(OneRow(Format::f32, {3, -2, 3, -2}, {0.25, 1, 0.75, 0}),
                 0.5);  // both groups' mean
  expect_edge_at(OneRow(Format::bf16, {7}, {0.375}), 0.375);
  expect_edge_at(OneRow(Format::f16, {1, 2, 3}, {0.75, 0.75, 0.75}), 0.75);
}

TEST(DecideExactly, KnowsAMeanThatNoBinary64Holds) {
  // O = 1/3: at no binary64 observed with a binary64 budget, however near both come.
  const OneRow row(Format::f16, {0, 0, 0}, {0, 0, 1});
  const double third = 1.0 / 3;  // below 1/3
  EXPECT_EQ(row.o_within(third, 0), false);
  EXPECT_EQ(row.o_within(third, 0x1.5p-56), false);  // 1/3 lies 0x1.5555p-56 above it
  EXPECT_EQ(row.o_within(third, 0x1.6p-56), true);
}

TEST(DecideExactly, SeesWeightsThatNoDigitsOfTheOutputShow) {
  // O = 1/2 + e^-20000 / 4, about: the sign of what is left decides, not its size.
  const OneRow above(Format::f32, {0, 0, -20000}, {0, 1, 1});
  EXPECT_EQ(above.o_within(0.25, 0.25), false);
  EXPECT_EQ(above.o_within(0.75, 0.25), true);
  const OneRow below(Format::f32, {0, 0, -20000}, {0, 1, 0});
  EXPECT_EQ(below.o_within(0.25, 0.25), true);
  EXPECT_EQ(below.o_within(0.75, 0.25), false);
}

TEST(DecideExactly, KnowsTheLseOfOneKeyAndThatOfNoneBesides) {
  const OneRow one(Format::f16, {2.5}, {1});
  EXPECT_EQ(one.lse_within(2, 0.5), true);
  EXPECT_EQ(one.lse_within(2, std::nextafter(0.5, 0.0)), false);
  EXPECT_EQ(one.lse_within(3, 0.5), true);
  const OneRow beside(Format::f32, {2.5, -20000}, {1, 1});  // LSE = 2.5 + e^-20002.5, about
  EXPECT_EQ(beside.lse_within(2, 0.5), false);
  EXPECT_EQ(beside.lse_within(3, 0.5), true);
}

TEST(DecideExactly, AgreesWithEnclosuresWhereTheyTell) {
  const OneRow row(Format::f16, {0.5, -1.25, 2, 2}, {1, -3, 0.125, 7});
  const Answer answer = enclose_forward(row.p, row.inputs);
  for (int n = -40; n <= 40; ++n) {
    const double observed = 3 + n * 0.03125;
    const double budget = 0.4;
    const bool inside = std::fabs(observed - answer.o[0].lo) < budget;
    EXPECT_EQ(row.o_within(observed, budget), inside);
  }
}

TEST(DecideExactly, SaysNothingOfScoresThatRound) {
  OneRow row(Format::f64, {1, 1}, {0, 1});
  row.p.d_qk = 2;
  row.inputs = zero_inputs(row.p);
  const double q[] = {0x1p1000, 0x1p-1000};
  for (Index c = 0; c < 2; ++c) {
    row.inputs.q.view().set_bits(0, 0, 0, c, round_to_bits(row.p.in, q[c]));
    row.inputs.k.view().set_bits(0, 0, 0, c, round_to_bits(row.p.in, 1));
  }
  EXPECT_EQ(row.o_within(0, 0.5), std::nullopt);
}

}  // namespace
}  // namespace attest::decide_exactly_test
