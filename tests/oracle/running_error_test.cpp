// Goal: the errors that Theorems 1 to 3 allow are never exceeded at the working precision itself,
// where rounding to binary64 hides nothing, and come close enough that the test is not empty.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "core/random.hpp"
#include "oracle/outputs.hpp"
#include "oracle/running_weights.hpp"
#include "tests/oracle/arb_oracle.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::running_error_test {
namespace {

constexpr unsigned kDigits = 50;

Ball ball_of(const Real<kDigits>& x) { return Ball::of(raw(x)); }

// The largest error / bound seen.
struct Worst {
  double score = 0;
  double weight = 0;
  double sum = 0;
  double numerator = 0;
  double running = 0;
};

// Fails unless |error| <= bound for certain; keeps the ratio where the bound is not 0.
void expect_within(const char* what, const Ball& error, const Ball& bound, double& worst) {
  EXPECT_TRUE(abs(error) <= bound) << what;
  if (Ball(0) < bound) worst = std::max(worst, (abs(error) / bound).ends().hi);
}

struct Row {
  KeyHead head;
  QueryRow query;
  ArbRow arb;
  std::vector<Index> keys;
  std::vector<Index> columns;
  PairMagnitudes magnitudes;
};

Row row_of(const DrawnCase& drawn, Index i) {
  const Problem& p = drawn.problem;
  Row row;
  row.head = read_key_head(p, drawn.inputs, 0, 0);
  row.query = read_query_row(p, drawn.inputs, 0, 0, i);
  row.arb = arb_row(p, drawn.inputs, 0, 0, i);
  for (Index j = row.arb.keys.first; j <= row.arb.keys.last; ++j) row.keys.push_back(j);
  row.columns.resize(static_cast<std::size_t>(p.d_v));
  std::iota(row.columns.begin(), row.columns.end(), Index{0});
  row.magnitudes = measure(row.head, row.query, p.scale, row.keys);
  return row;
}

RowTask task_of(const Row& row, const Problem& p) {
  return {row.head, row.query, p.scale, row.keys, row.magnitudes.abs_dot, row.columns};
}

void check_weights(const Row& row, const ScoreRow<kDigits>& scores, const Weights<kDigits>& weights,
                   Worst& worst) {
  const Ball shift = ball_of(scores.s[scores.argmax]);
  Ball sum;
  for (std::size_t n = 0; n < scores.s.size(); ++n) {
    expect_within("score", ball_of(scores.s[n]) - row.arb.s[n], Ball(scores.radius[n]),
                  worst.score);
    if (weights.kept[n] == 0) {
      EXPECT_TRUE(row.arb.s[n] - shift <= Ball(-0x1p19));
      continue;
    }
    expect_within("weight", log(ball_of(weights.w[n])) - (row.arb.s[n] - shift),
                  Ball(weights.log_error), worst.weight);
    sum += exp(row.arb.s[n] - shift);
  }
  expect_within("sum", ball_of(weights.sum) - sum, Ball(weights.relative) * sum, worst.sum);
}

void check_numerators(const RowTask& task, const Row& row, const ScoreRow<kDigits>& scores,
                      const Weights<kDigits>& weights, Worst& worst) {
  const Ball shift = ball_of(scores.s[scores.argmax]);
  const auto sums = sum_numerators(task, weights, weight_bounds(weights));
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    Ball exact;
    Ball magnitude;
    for (std::size_t n = 0; n < row.keys.size(); ++n) {
      if (weights.kept[n] == 0) continue;
      const Ball term = exp(row.arb.s[n] - shift) * Ball(row.head.v_row(row.keys[n])[k]);
      exact += term;
      magnitude += abs(term);
    }
    expect_within("numerator", ball_of(sums.n[k]) - exact, Ball(weights.relative) * magnitude,
                  worst.numerator);
  }
}

void check_running_weights(const Row& row, const ScoreRow<kDigits>& scores,
                           const Weights<kDigits>& weights, Worst& worst) {
  const std::vector<double> pi = weight_bounds(weights);
  RowNumbers numbers;
  bound_running_weights(scores, weights, numbers);
  Ball top = row.arb.s[0];
  for (std::size_t n = 0; n < scores.s.size(); ++n) {
    const Ball risen = max(top, row.arb.s[n]);
    // Exact ratios of 1 come out of Arb as balls about 1: they are at most 1 by definition.
    const Ball fade = exp(top - risen);
    const Ball weight = exp(row.arb.s[n] - risen);
    EXPECT_TRUE(numbers.fade[n] == 1 || fade <= Ball(numbers.fade[n]));
    EXPECT_TRUE(numbers.running_weight[n] == 1 || weight <= Ball(numbers.running_weight[n]));
    if (numbers.running_weight[n] > 0x1p-1000) {
      worst.running = std::max(worst.running, (Ball(numbers.running_weight[n]) / weight).ends().hi);
    }
    EXPECT_TRUE(row.arb.pi[n] <= Ball(pi[n]));
    top = risen;
  }
}

// Fifty digits hold the scores of ordinary inputs exactly, so rounding takes binary64 operands
// whose products lie up to 80 binades apart.
TEST(RunningError, OfScoresStaysWithinItsTheoremWhereRoundingHappens) {
  Problem p;
  p.in = Format::f64;
  p.n_k = 2000;
  p.d_qk = 3;
  p.scale = 0.7f;
  Inputs inputs = zero_inputs(p);
  for (std::uint32_t d = 0; d < 3; ++d) {
    inputs.q.view().set_bits(0, 0, 0, d, round_to_bits(p.in, 1 / (d + 3.0)));
    for (std::uint32_t j = 0; j < 2000; ++j) {
      const RandomBits bits = random_bits(1, {60, 0, 0, j, d});
      const double value = (bits[0] * 0x1p-32 + bits[1] * 0x1p-53 - 0.4) *
                           std::ldexp(1.0, static_cast<int>(bits[2] % 80) - 40);
      inputs.k.view().set_bits(0, 0, j, d, round_to_bits(p.in, value));
    }
  }
  const Row row = row_of({p, ValueKind::wide, inputs}, 0);
  const RowTask task = task_of(row, p);
  const auto scores = score_row<kDigits>(task);
  Worst worst;
  Index rounded = 0;
  for (std::size_t n = 0; n < scores.s.size(); ++n) {
    rounded += scores.radius[n] > 0;
    expect_within("score", ball_of(scores.s[n]) - row.arb.s[n], Ball(scores.radius[n]),
                  worst.score);
  }
  std::printf("largest error / bound: score %.3f\n", worst.score);
  EXPECT_GE(rounded, 300);
  EXPECT_GE(worst.score, 0.2);
}

// Scores that are exact, and far finer than the grid of fifty digits at their distance from the
// maximum: the weights' error is then the rounding of the difference alone.
TEST(RunningError, OfADifferenceOfExactScoresStaysWithinItsTheorem) {
  Problem p;
  p.in = Format::f64;
  p.n_k = 200;
  p.scale = 1;
  Inputs inputs = zero_inputs(p);
  inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, 1));
  for (std::uint32_t j = 0; j < 200; ++j) {
    const double value = j == 0 ? 100 : uniform(1, {61, 0, 0, j, 0}) * 0x1p-160;
    inputs.k.view().set_bits(0, 0, j, 0, round_to_bits(p.in, value));
  }
  const Row row = row_of({p, ValueKind::wide, inputs}, 0);
  const RowTask task = task_of(row, p);
  const auto scores = score_row<kDigits>(task);
  EXPECT_EQ(*std::max_element(scores.radius.begin(), scores.radius.end()), 0);
  Worst worst;
  check_weights(row, scores, weigh(scores), worst);
  EXPECT_GE(worst.weight, 0.4);
}

TEST(RunningError, StaysWithinItsTheoremsAtTheWorkingPrecision) {
  Worst worst;
  Index rows = 0;
  for (std::uint64_t index = 0; index < 320; ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    const Problem& p = drawn.problem;
    for (Index i = 0; i < p.live_queries(0); ++i) {
      const Row row = row_of(drawn, i);
      if (row.keys.empty()) continue;
      const RowTask task = task_of(row, p);
      const auto scores = score_row<kDigits>(task);
      const auto weights = weigh(scores);
      ASSERT_LE(weights.log_error, kLargestLogError);
      check_weights(row, scores, weights, worst);
      check_numerators(task, row, scores, weights, worst);
      check_running_weights(row, scores, weights, worst);
      ASSERT_FALSE(HasFailure()) << to_string(p) << " case " << index << " row " << i;
      ++rows;
    }
  }
  std::printf("largest error / bound: weight %.3f, sum %.3f, numerator %.3f\n", worst.weight,
              worst.sum, worst.numerator);
  EXPECT_GE(rows, 500);
  EXPECT_GE(worst.weight, 0.2);
  EXPECT_GE(worst.sum, 0.05);
  EXPECT_GE(worst.numerator, 0.05);
  EXPECT_LE(worst.running, 1 + 0x1p-40);
}

}  // namespace
}  // namespace attest::running_error_test
