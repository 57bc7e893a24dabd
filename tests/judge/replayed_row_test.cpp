// Goal: the pairs of a row are what a hand computation gives, D comes from where it is declared to,
// and what cannot be known is neither claimed nor spread further than it must.
#include "judge/replayed_row.hpp"

#include <gtest/gtest.h>

#include "oracle/enclose_head_gradients.hpp"
#include "oracle/enclose_scores.hpp"
#include "tests/judge/judged_gradients.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::replayed_row_test {
namespace {

// One query and two keys of score 0: weights of 1/2, dP = 1 and 3, O = 2.
struct TwoKeys {
  Problem p;
  Inputs inputs;
  Tensor o;
  StoredRow stored;

  TwoKeys() {
    stored.lse = 0.693147181F;
    stored.sum_abs_dout = 1;
    p.pass = Pass::bwd;
    p.n_k = 2;
    inputs = zero_inputs(p);
    fill(inputs.dout, 1);
    set(inputs.v, 0, 0, 0, 0, 1);
    set(inputs.v, 0, 0, 1, 0, 3);
    o = Tensor(p.out, p.o_extents());
    fill(o, 2);
  }

  [[nodiscard]] std::vector<ReplayedPair> pairs(const std::string& changes = "p_format=f16") const {
    const auto rule = backward_rule(p, exact_backward("ds_format=f16;o_format=f16;" + changes));
    EXPECT_TRUE(rule);
    const HeadScores scores = enclose_scores(p, inputs, 0, 0);
    const HeadScores dp = enclose_dp(p, inputs, 0, 0);
    StoredRow row = stored;
    row.dout_o = enclose_row_dots(p, inputs, o.view(), 0, 0)[0];
    return ReplayedRow(p, *rule, scores, dp).pairs(0, row);
  }
};

void expect_value(const RoundedSet& set, double value) {
  EXPECT_EQ(set.lo, value);
  EXPECT_EQ(set.hi, value);
}

TEST(ReplayedRow, KnowsWhatWasRoundedTo16Bits) {
  for (const char* source : {"p_format=f16", "p_format=f16;d_source=p_dp",
                             "p_format=f16;d_source=p_dp;p_in_ds=rounded"}) {
    SCOPED_TRACE(source);
    const auto pairs = TwoKeys().pairs(source);
    ASSERT_EQ(pairs.size(), 2U);
    for (const ReplayedPair& pair : pairs) {
      EXPECT_TRUE(pair.weight_known && pair.known);
      expect_value(pair.p, 0.5);
    }
    expect_value(pairs[0].ds, -0.5);
    expect_value(pairs[1].ds, 0.5);
  }
}

TEST(ReplayedRow, SubtractsTheGradientOfLse) {
  TwoKeys c;
  c.p.lse_gradient = true;
  c.stored.has_glse = true;
  c.stored.glse = 4;  // D = 2 - 4
  const auto pairs = c.pairs();
  expect_value(pairs[0].ds, 1.5);
  expect_value(pairs[1].ds, 2.5);
}

TEST(ReplayedRow, LeavesOpenWhatAnOInBinary32LostInItsStore) {
  const auto pairs = TwoKeys().pairs("p_format=f16;d_source=f32_o");
  EXPECT_LE(pairs[0].ds.lo, -0.5 - 0.9 * 0x1p-11);
  EXPECT_GE(pairs[0].ds.hi, -0.5 + 0.9 * 0x1p-11);
  EXPECT_LE(pairs[0].ds.hi - pairs[0].ds.lo, 0x1p-9);
}

TEST(ReplayedRow, KnowsNoDOfAnOInBinary32WhoseStoreMayHaveSaturated) {
  TwoKeys c;
  fill(c.o, 65504);  // toward zero it stands for whatever lies beyond, too
  const std::string source = "p_format=f16;d_source=f32_o";
  const std::string toward_zero = source + ";o_rounding=toward_zero";
  EXPECT_TRUE(c.pairs(source)[0].known);
  EXPECT_FALSE(c.pairs(toward_zero)[0].known);
  fill(c.inputs.dout, 0);
  EXPECT_TRUE(c.pairs(toward_zero)[0].known);
}

TEST(ReplayedRow, TakesBothCandidatesWhereAWeightLiesBetween) {
  TwoKeys c;
  c.stored.lse = 0.693147181F - 0x1p-12F;  // P is half a place above 1/2
  const auto pairs = c.pairs();
  expect_value(pairs[0].p, 0.5);
  c.stored.lse = -std::log(0.5F + 0x1p-12F);
  const auto between = c.pairs("p_format=f16;exp2=0x1p-20");
  EXPECT_EQ(between[0].p.lo, 0.5);
  EXPECT_EQ(between[0].p.hi, 0.5 + 0x1p-11);
}

TEST(ReplayedRow, WithoutDKnowsTheWeightsAlone) {
  TwoKeys c;
  fill(c.o, std::numeric_limits<double>::infinity());
  for (const ReplayedPair& pair : c.pairs()) {
    EXPECT_TRUE(pair.weight_known);
    EXPECT_FALSE(pair.known);
  }
  for (const ReplayedPair& pair : c.pairs("p_format=f16;d_source=p_dp")) EXPECT_TRUE(pair.known);
}

TEST(ReplayedRow, KnowsNoWeightThatLeavesItsFormat) {
  TwoKeys c;
  c.stored.lse = -12;  // e^12 is beyond f16
  for (const ReplayedPair& pair : c.pairs()) {
    EXPECT_FALSE(pair.weight_known);
    EXPECT_FALSE(pair.known);
  }
  EXPECT_TRUE(c.pairs("p_format=bf16")[0].weight_known);
}

}  // namespace
}  // namespace attest::replayed_row_test
