// Goal: enclosures hold the exact answer where it is known as a rational number, more digits never
// contradict fewer, and refining never widens.
#include "oracle/enclose_forward.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/oracle/arb_oracle.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::enclose_forward_test {
namespace {

void set(Tensor& tensor, Index row, Index column, double value) {
  tensor.view().set_bits(0, 0, row, column, round_to_bits(tensor.format(), value));
  ASSERT_EQ(tensor.view().value(0, 0, row, column), value);
}

// Both oracles' enclosures of O_0k hold numerator / denominator.
void expect_holds(const Problem& p, const Inputs& inputs, Index k, double numerator,
                  double denominator) {
  const Answer answer = enclose_forward(p, inputs);
  const Ball exact = Ball(numerator) / Ball(denominator);
  const Enclosure mine = answer.o[static_cast<std::size_t>(k)];
  EXPECT_LE(mine.lo, exact.ends().hi);
  EXPECT_GE(mine.hi, exact.ends().lo);
  const Enclosure other = arb_row(p, inputs, 0, 0, 0).o[static_cast<std::size_t>(k)].ends();
  EXPECT_LE(other.lo, exact.ends().hi);
  EXPECT_GE(other.hi, exact.ends().lo);
}

Problem one_query(Format format, Index keys) {
  Problem p;
  p.in = p.out = format;
  p.n_k = keys;
  p.d_qk = 2;
  p.scale = 0.7f;
  return p;
}

TEST(EncloseForward, HoldsTheMeanOfVWhenAllScoresAreEqual) {
  for (const Format format : kFormats) {
    for (const Index keys : {Index{1}, Index{3}, Index{7}, Index{64}}) {
      const Problem p = one_query(format, keys);
      Inputs inputs = zero_inputs(p);
      set(inputs.q, 0, 0, 3);
      double sum = 0;
      for (Index j = 0; j < keys; ++j) {
        set(inputs.k, j, 0, -1.5);
        set(inputs.k, j, 1,
            static_cast<double>(j % 5));  // q has a zero there: the score is the same
        const auto v = static_cast<double>(j * j % 11 - 4);
        set(inputs.v, j, 0, v);
        sum += v;
      }
      expect_holds(p, inputs, 0, sum, static_cast<double>(keys));
    }
  }
}

// Groups of equal scores that all have the mean 5/3: O is 5/3 whatever the scores are.
TEST(EncloseForward, HoldsTheGroupMeanThatAllGroupsShare) {
  const Problem p = one_query(Format::bf16, 6);
  Inputs inputs = zero_inputs(p);
  set(inputs.q, 0, 0, 1);
  const double v[] = {1, 0, 4, 2, 2, 1};
  for (Index j = 0; j < 6; ++j) {
    set(inputs.k, j, 0, j < 3 ? 0.75 : -2.5);
    set(inputs.v, j, 0, v[j]);
  }
  expect_holds(p, inputs, 0, 5, 3);
}

TEST(EncloseForward, GivesPointsForOneKey) {
  Problem p = one_query(Format::f16, 3);
  p.scale = 0.5f;
  p.lk = {1};
  Inputs inputs = zero_inputs(p);
  set(inputs.q, 0, 0, 1.25);
  set(inputs.k, 0, 0, -3.5);
  set(inputs.v, 0, 0, 0.1875);
  const Answer answer = enclose_forward(p, inputs);
  EXPECT_EQ(answer.o[0], (Enclosure{0.1875, 0.1875}));
  EXPECT_EQ(answer.lse[0], (Enclosure{-2.1875, -2.1875}));
  EXPECT_EQ(answer.rows[0].sum_exp, (Enclosure{1, 1}));
}

TEST(EncloseForward, GivesAPointForConstantV) {
  for (std::uint64_t index = 0; index < 64; ++index) {
    DrawnCase drawn = draw_oracle_case(index);
    const TensorView v = drawn.inputs.v.view();
    const std::uint64_t seven = round_to_bits(v.format, 7);
    for (Index b = 0; b < v.extents[0]; ++b) {
      for (Index h = 0; h < v.extents[1]; ++h) {
        for (Index j = 0; j < v.extents[2]; ++j) {
          for (Index k = 0; k < v.extents[3]; ++k) v.set_bits(b, h, j, k, seven);
        }
      }
    }
    const Answer answer = enclose_forward(drawn.problem, drawn.inputs);
    for (std::size_t e = 0; e < answer.o.size(); ++e) {
      if (answer.o_class[e] != OutputClass::finite) continue;
      EXPECT_EQ(answer.o[e], (Enclosure{7, 7}));
    }
  }
}

// log(1 + e^-1000) is about 2^-1443, beyond binary64. The enclosure is as wide as the log-error
// that Theorem 2 allows a weight at z = -2^20, the farthest that is kept: u 2^20 = 2^-148, twice.
TEST(EncloseForward, StaysRigorousWhereAKeyIsTooFarToMatter) {
  for (const double k : {-1000.0, -0x1p15, -0x1p40}) {
    Problem p = one_query(Format::f32, 2);
    p.scale = 1;
    Inputs inputs = zero_inputs(p);
    set(inputs.q, 0, 0, 1);
    set(inputs.k, 1, 0, k);
    set(inputs.v, 0, 0, 1);
    set(inputs.v, 1, 0, -0x1p127);
    const Answer answer = enclose_forward(p, inputs);
    EXPECT_LT(answer.o[0].lo, 1);
    EXPECT_GE(answer.o[0].lo, 1 - 0x1p-52);
    EXPECT_EQ(answer.o[0].hi, 1);
    EXPECT_EQ(answer.lse[0].lo, 0);
    EXPECT_GT(answer.lse[0].hi, 0);
    EXPECT_LE(answer.lse[0].hi, 0x1p-147);
  }
}

TEST(EncloseForward, ReadsTheKeyHeadOfTheGroup) {
  Problem p;
  p.in = Format::f16;
  p.heads_q = 6;
  p.heads_k = 2;
  Inputs inputs = zero_inputs(p);
  inputs.v.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, 10));
  inputs.v.view().set_bits(0, 1, 0, 0, round_to_bits(p.in, 20));
  const Answer answer = enclose_forward(p, inputs);
  for (std::size_t h = 0; h < 6; ++h) EXPECT_EQ(answer.o[h].lo, h < 3 ? 10 : 20);
}

TEST(EncloseForward, HigherRungsMeetLowerOnes) {
  for (std::uint64_t index = 0; index < 96; ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    const Answer low = enclose_forward(drawn.problem, drawn.inputs, Precision::digits50);
    const Answer high = enclose_forward(drawn.problem, drawn.inputs, Precision::digits200);
    ASSERT_EQ(low.o_class, high.o_class);
    for (std::size_t e = 0; e < low.o.size(); ++e) {
      ASSERT_LE(high.o[e].lo, low.o[e].hi);
      ASSERT_LE(low.o[e].lo, high.o[e].hi);
    }
    for (std::size_t row = 0; row < low.lse.size(); ++row) {
      ASSERT_LE(high.lse[row].lo, low.lse[row].hi);
      ASSERT_LE(low.lse[row].lo, high.lse[row].hi);
    }
  }
}

bool inside(Enclosure a, Enclosure b) { return b.lo <= a.lo && a.hi <= b.hi; }

TEST(RefineRows, NeverWidensAndTouchesNoOtherRow) {
  Index refined = 0;
  for (std::uint64_t index = 0; index < 64; ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    const Answer before = enclose_forward(drawn.problem, drawn.inputs);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < before.lse.size(); row += 2) rows.push_back(row);
    Answer after = before;
    refine_rows(drawn.problem, drawn.inputs, rows, Precision::digits100, after);
    const auto d_v = static_cast<std::size_t>(drawn.problem.d_v);
    for (std::size_t row = 0; row < before.lse.size(); ++row) {
      const bool chosen = row % 2 == 0;
      ASSERT_EQ(after.lse_class[row], before.lse_class[row]);
      if (chosen && before.lse_class[row] == OutputClass::finite) {
        ASSERT_GE(after.bits[row], 334);
        ++refined;
      } else {
        ASSERT_EQ(after.bits[row], before.bits[row]);
      }
      ASSERT_TRUE(inside(after.lse[row], before.lse[row]));
      ASSERT_TRUE(inside(after.rows[row].max_score, before.rows[row].max_score));
      ASSERT_TRUE(inside(after.rows[row].sum_exp, before.rows[row].sum_exp));
      for (std::size_t e = row * d_v; e < (row + 1) * d_v; ++e) {
        ASSERT_EQ(after.o_class[e], before.o_class[e]);
        ASSERT_TRUE(inside(after.o[e], before.o[e]));
        ASSERT_TRUE(chosen || after.o[e] == before.o[e]);
      }
    }
  }
  EXPECT_GE(refined, 100);
}

TEST(RefineRows, NarrowsAnEnclosureThatWasMadeWide) {
  const DrawnCase drawn = draw_oracle_case(33);
  const Answer exact = enclose_forward(drawn.problem, drawn.inputs);
  Answer answer = exact;
  std::vector<std::size_t> rows(answer.lse.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Index widened = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (answer.lse_class[row] != OutputClass::finite) continue;
    answer.lse[row] = {answer.lse[row].lo - 1, answer.lse[row].hi + 1};
    ++widened;
  }
  ASSERT_GT(widened, 0);
  refine_rows(drawn.problem, drawn.inputs, rows, Precision::digits100, answer);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    EXPECT_LE(answer.lse[row].hi - answer.lse[row].lo, exact.lse[row].hi - exact.lse[row].lo);
  }
}

}  // namespace
}  // namespace attest::enclose_forward_test
