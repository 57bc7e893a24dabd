// Goal: the errors that Lemma 10 and Theorems 7 and 8 allow are never exceeded at the working
// precision itself, where rounding to binary64 hides nothing, and come close enough that the test
// is not empty.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "core/answer.hpp"
#include "oracle/product_sums.hpp"
#include "oracle/score_bounds.hpp"
#include "tests/oracle/arb_gradients.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::gradient_error_test {
namespace {

constexpr unsigned kDigits = 50;

// The largest error / bound seen.
struct Worst {
  double p = 0;
  double d = 0;
  double ds = 0;
  double sum = 0;
  double rounded = 0;
};

void expect_within(const char* what, const Ball& error, const Ball& bound, double& worst) {
  EXPECT_TRUE(abs(error) <= bound) << what;
  if (Ball(kLeastError * 0x1p40) < bound) {
    worst = std::max(worst, (abs(error) / bound).ends().hi);
  }
}

Ball ball_of(const Real<kDigits>& x) { return Ball::of(raw(x)); }

// Row i of head 0 of batch entry 0, worked as solve_head does. D is exact where all dP are equal,
// and the ball about it is not: then nothing is compared.
void check_row(const DrawnGradients& c, const HeadTask& task, std::size_t i,
               const std::optional<StoredForward>& stored, Worst& worst) {
  const GradientQuery& query = task.rows[i];
  const auto arb = arb_backward_row(c.problem, c.inputs, stored, 0, 0, static_cast<Index>(i));
  if (arb.p.size() < 2) return;
  const std::vector<Index> live = keys_of(task.parts[i].live);
  const double scale = c.problem.scale;
  const PairMagnitudes magnitudes = measure(task.head.keys, query.query, scale, live);
  const RowTask row{task.head.keys, query.query, scale, live, magnitudes.abs_dot, {}};
  const auto scores = score_row<kDigits>(row);
  const auto weights = weigh(scores);
  RowNumbers numbers;
  bound_scores(scores, weights, numbers);
  numbers.sum_exp = enclose_sum_exp(weights);
  const auto p = stored ? shift_to_stored(scores, weights, query.lse) : normalise(weights, numbers);
  ASSERT_TRUE(p.bounded);
  std::vector<Pair> pairs(live.size());
  for (std::size_t n = 0; n < live.size(); ++n) {
    pairs[n].j = live[n];
    expect_within("P", ball_of(p.p[n]) - arb.p[n], Ball(p.error[n]), worst.p);
    EXPECT_TRUE(arb.p[n] <= Ball(p.bound[n]));
  }
  measure_products(task.head, query, pairs);
  const auto dp = value_products<kDigits>(task.head, query, pairs);
  if (all_equal(dp)) return;
  const auto d = row_mean(task, query, p, dp);
  if (d.error > 0) expect_within("D", ball_of(d.value) - arb.d, Ball(d.error), worst.d);
  const auto ds = score_gradients(p, dp, d, pairs);
  ProductSums<kDigits> sums(1, static_cast<std::size_t>(c.problem.d_qk), false);
  std::vector<Ball> exact(static_cast<std::size_t>(c.problem.d_qk));
  for (std::size_t n = 0; n < live.size(); ++n) {
    expect_within("dS", ball_of(ds[n].value) - arb.ds[n], Ball(ds[n].error), worst.ds);
    sums.add(0, ds[n], task.head.keys.k_row(live[n]));
    for (std::size_t k = 0; k < exact.size(); ++k) {
      exact[k] += Ball(scale) * arb.ds[n] * Ball(task.head.keys.k_row(live[n])[k]);
    }
  }
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const auto sum = sums.sum(0, k, scale);
    expect_within("sum", ball_of(sum.value) - exact[k], Ball(sum.error), worst.sum);
  }
}

// How far binary64's enclosures are from being too narrow.
void check_rounded(const GradientAnswer& answer, const ArbGradient& arb, double& worst) {
  for (std::size_t e = 0; e < arb.values.size(); ++e) {
    const Ball lo(answer.values[e].lo);
    const Ball hi(answer.values[e].hi);
    const Ball width = hi - lo;
    if (answer.classes[e] != OutputClass::finite || !(Ball(0x1p-600) < width)) continue;
    const Ball off = arb.values[e] + arb.values[e] - lo - hi;
    worst = std::max(worst, (abs(off) / width).ends().hi);
  }
}

TEST(GradientError, StaysWithinItsTheoremsAtTheWorkingPrecision) {
  Worst worst;
  Index rows = 0;
  for (std::uint64_t index = 0; index < 96; ++index) {
    const DrawnGradients c = draw_gradient_case(index);
    if (c.problem.in == Format::f64) continue;  // its products underflow by other rules
    for (const bool stage_wise : {false, true}) {
      std::optional<StoredForward> stored;
      if (stage_wise) stored = stored_of(c, index % 8 < 4);
      const HeadTask task = read_head_task(c.problem, c.inputs, stored, 0, 0);
      for (Index i = 0; i < c.problem.live_queries(0); ++i, ++rows) {
        check_row(c, task, static_cast<std::size_t>(i), stored, worst);
      }
      ASSERT_FALSE(HasFailure()) << to_string(c.problem) << " case " << index << ' ' << stage_wise;
    }
    const BackwardAnswer weights = enclose_backward(c.problem, c.inputs);
    const BackwardAnswer rounded = enclose_backward_by_weights(c.problem, c.inputs, weights);
    const ArbGradients arb = arb_gradients(c.problem, c.inputs, std::nullopt);
    check_rounded(rounded.dq, arb.dq, worst.rounded);
    check_rounded(rounded.dv, arb.dv, worst.rounded);
  }
  std::printf("largest error / bound: P %.3f, D %.3f, dS %.3f, sum %.3f, binary64 %.3f\n", worst.p,
              worst.d, worst.ds, worst.sum, worst.rounded);
  EXPECT_GE(rows, 500);
  EXPECT_GE(worst.p, 0.2);
  EXPECT_GE(worst.d, 0.2);
  EXPECT_GE(worst.ds, 0.1);
  EXPECT_GE(worst.sum, 0.1);
  EXPECT_GE(worst.rounded, 0.05);
  EXPECT_LE(worst.rounded, 1);
}

}  // namespace
}  // namespace attest::gradient_error_test
