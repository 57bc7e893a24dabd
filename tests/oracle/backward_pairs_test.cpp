// Goal: every field of a row and of a pair is the bound that it promises to be, and a tight one, in
// both views and by both routes.
#include <gtest/gtest.h>

#include "core/answer.hpp"
#include "oracle/upward.hpp"
#include "tests/oracle/arb_gradients.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::backward_pairs_test {
namespace {

constexpr double kTight = 0x1p-40;
constexpr double kTiny = 0x1p-700;  // more than any error that is not 0 is raised to

// At least |exact|, and at most that plus `slack`. A ball about a number that the bound meets may
// stick out of it.
void expect_bound(const char* what, double bound, const Ball& exact, const Ball& slack) {
  EXPECT_GE(bound, abs(exact).ends().lo) << what;
  EXPECT_TRUE(Ball(bound) <= abs(exact) + slack) << what << " " << bound;
}

struct PairCheck {
  const DrawnGradients& drawn;
  const std::optional<StoredForward>& stored;
  Index h;
  Index i;

  void check(const BackwardRow& row) const {
    const ArbBackwardRow arb = arb_backward_row(drawn.problem, drawn.inputs, stored, 0, h, i);
    ASSERT_EQ(row.pairs.size(), arb.p.size());
    if (arb.p.empty()) return;
    EXPECT_TRUE(row.sharp);
    EXPECT_FALSE(is_outside(arb.lse, row.lse));
    EXPECT_FALSE(is_outside(arb.d, row.d));
    const Ball d_slack = Ball(kTight) * arb.d_size + Ball(kTiny);
    EXPECT_TRUE(Ball(row.d.hi) - Ball(row.d.lo) <= d_slack);
    expect_bound("sum |dO O|", row.sum_abs_dout_o, arb.abs_dout_o, d_slack + arb_rounding(arb));
    for (std::size_t n = 0; n < arb.p.size(); ++n) {
      check_weight(row.pairs[n], arb, n);
      check_products(row.pairs[n], arb, n);
    }
    check_mean_key(row, arb);
  }

 private:
  // What uncertain weights make of sum |dO O|, whose terms need not cancel like d's.
  static Ball arb_rounding(const ArbBackwardRow& arb) { return Ball(kTight) * dot(arb.p, arb.g); }

  void check_weight(const Pair& pair, const ArbBackwardRow& arb, std::size_t n) const {
    ASSERT_EQ(pair.j, arb.keys.first + static_cast<Index>(n));
    expect_bound("pi", pair.pi, arb.p[n], Ball(0x1p-48) * arb.p[n] + Ball(0x1p-1070));
    expect_bound("score", pair.abs_score, arb.s[n], Ball(0x1p-50) * abs(arb.s[n]) + Ball(kTiny));
    const Ball log_p = arb.s[n] - arb.lse;
    const Ball size = Ball(1) + abs(arb.s[n]) + abs(arb.lse);
    expect_bound("log P", pair.abs_log_pi, log_p, Ball(kTight) * size);
  }

  void check_products(const Pair& pair, const ArbBackwardRow& arb, std::size_t n) const {
    const Problem& p = drawn.problem;
    Index products = 0;
    double floored = 0;
    for (Index k = 0; k < p.d_v; ++k) {
      const double x = std::fabs(drawn.inputs.dout.view().value(0, h, i, k));
      const Index h_k = h / (p.heads_q / p.heads_k);
      const double v = std::fabs(drawn.inputs.v.view().value(0, h_k, pair.j, k));
      const double normal = smallest_normal(p.in);
      products += x != 0 && v != 0;
      if (x != 0 && v != 0) floored += std::max(x, normal) * std::max(v, normal);
    }
    EXPECT_EQ(pair.products, products);
    EXPECT_GE(pair.g_floor, floored);
    EXPECT_LE(pair.g_floor, floored * (1 + 0x1p-44) + 0x1p-1060);
    const Ball slack = Ball(kTight) * arb.g[n] + Ball(kTiny);
    expect_bound("g", pair.g, arb.g[n], slack);
    expect_bound("dP", pair.abs_dp, arb.dp[n], slack);
    expect_bound("dP - D", pair.abs_dp_less_d, arb.dp[n] - arb.d,
                 slack + Ball(kTight) * arb.d_size);
  }

  void check_mean_key(const BackwardRow& row, const ArbBackwardRow& arb) const {
    const Problem& p = drawn.problem;
    const Index h_k = h / (p.heads_q / p.heads_k);
    for (Index c = 0; c < p.d_qk; ++c) {
      Ball mean;
      Ball size;
      for (std::size_t n = 0; n < arb.p.size(); ++n) {
        const Index j = arb.keys.first + static_cast<Index>(n);
        const Ball term = arb.p[n] * Ball(drawn.inputs.k.view().value(0, h_k, j, c));
        mean += term;
        size += abs(term);
      }
      expect_bound("mean key", row.mean_key[static_cast<std::size_t>(c)], mean,
                   Ball(kTight) * size + Ball(kTiny));
    }
  }
};

TEST(BackwardPairs, AreBoundsAndTight) {
  Index rows = 0;
  for (std::uint64_t index = 0; index < 64; ++index) {
    const DrawnGradients c = draw_gradient_case(index);
    const BackwardAnswer weights = enclose_backward(c.problem, c.inputs);
    for (const bool stage_wise : {false, true}) {
      std::optional<StoredForward> stored;
      if (stage_wise) stored = stored_of(c, index % 2 == 0);
      const BackwardAnswer far = enclose_backward(c.problem, c.inputs, stored);
      const BackwardAnswer near = enclose_backward_by_weights(c.problem, c.inputs, weights, stored);
      const Index h = c.problem.heads_q - 1;
      for (Index i = 0; i < c.problem.live_queries(0); ++i, ++rows) {
        const PairCheck check{c, stored, h, i};
        check.check(far.rows[row_index(c.problem, 0, h, i)]);
        check.check(near.rows[row_index(c.problem, 0, h, i)]);
        ASSERT_FALSE(::testing::Test::HasFailure())
            << to_string(c.problem) << " case " << index << " stage-wise " << stage_wise;
      }
    }
  }
  EXPECT_GE(rows, 300);
}

}  // namespace
}  // namespace attest::backward_pairs_test
