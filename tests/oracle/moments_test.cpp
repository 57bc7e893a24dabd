// Goal: every moment is an upper bound of its definition in core/moments.hpp, recomputed in balls,
// and above it by 2^-30 at most.
#include "oracle/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "tests/oracle/arb_oracle.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::moments_test {
namespace {

// A deviation |v - O| or a score near 0 is a difference: it is sharp relative to what it is a
// difference of, here to 2^-90 of that.
constexpr double kCancelled = 0x1p-90;

// Never below; above by 2^-30, by `slack`, and by what underflow may hide.
void expect_bound(const char* what, double got, const Ball& exact, double slack = 0) {
  EXPECT_TRUE(exact <= Ball(got)) << what << ": " << got << " is below " << exact.ends().hi;
  EXPECT_LE(got, exact.ends().hi * (1 + 0x1p-30) + slack + 0x1p-1000) << what;
}

double floor_in(Format format, double x) {
  return x == 0 ? 0 : std::max(std::fabs(x), smallest_normal(format));
}

// The factors of one key, by definition.
struct ExactKey {
  Ball f[kFactorCount];
  Ball abs_dot;
  Index products = 0;
  bool near = false;
};

ExactKey exact_key(const DrawnCase& drawn, const ArbRow& arb, Index b, Index h, Index i,
                   std::size_t n) {
  const Problem& p = drawn.problem;
  const Index h_k = h / (p.heads_q / p.heads_k);
  const Index j = arb.keys.first + static_cast<Index>(n);
  ExactKey key;
  key.f[kOne] = Ball(1);
  for (Index d = 0; d < p.d_qk; ++d) {
    const double q = drawn.inputs.q.view().value(b, h, i, d);
    const double k = drawn.inputs.k.view().value(b, h_k, j, d);
    key.f[kA] += Ball(p.scale) * Ball(floor_in(p.in, q)) * Ball(floor_in(p.in, k));
    key.f[kKappa] += abs(Ball(k));
    key.abs_dot += abs(Ball(q) * Ball(k));
    key.products += q != 0 && k != 0;
  }
  key.f[kAbsScore] = abs(arb.s[n]);
  key.f[kGap] = arb.m - arb.s[n];
  key.near = key.f[kGap] <= Ball(kNearGap);
  return key;
}

std::vector<double> column_of_v(const DrawnCase& drawn, const ArbRow& arb, Index b, Index h,
                                Index k) {
  const Index h_k = h / (drawn.problem.heads_q / drawn.problem.heads_k);
  std::vector<double> column;
  for (Index j = arb.keys.first; j <= arb.keys.last; ++j) {
    column.push_back(drawn.inputs.v.view().value(b, h_k, j, k));
  }
  return column;
}

void check_row(const RowMoments& row, const ArbRow& arb, const std::vector<ExactKey>& keys) {
  Ball sum_pi[kFactorCount];
  Ball max_near[kFactorCount];
  Ball max_abs_score;
  Ball max_abs_dot;
  Ball far[3];
  const Factor far_factors[] = {kA, kAbsScore, kKappa};
  Index far_keys = 0;
  Index max_products = 0;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    const ExactKey& key = keys[n];
    max_abs_score = max(max_abs_score, key.f[kAbsScore]);
    max_abs_dot = max(max_abs_dot, key.abs_dot);
    max_products = std::max(max_products, key.products);
    for (std::size_t f = 0; f < kFactorCount && key.near; ++f) {
      sum_pi[f] += arb.pi[n] * key.f[f];
      max_near[f] = max(max_near[f], key.f[f]);
    }
    if (key.near) continue;
    ++far_keys;
    for (int r = 0; r < 3; ++r) far[r] = max(far[r], key.f[far_factors[r]] / key.f[kGap]);
  }
  EXPECT_EQ(row.live_keys, arb.keys.size());
  EXPECT_EQ(row.first_live, arb.keys.first);
  EXPECT_EQ(row.last_live, arb.keys.last);
  EXPECT_EQ(row.far_keys, far_keys);
  EXPECT_EQ(row.max_products, max_products);
  const double slack = kCancelled * row.max_near[kA];
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    expect_bound("sum_pi", row.sum_pi[f], sum_pi[f], slack);
    expect_bound("max_near", row.max_near[f], max_near[f], slack);
  }
  expect_bound("max_live_abs_score", row.max_live_abs_score, max_abs_score, slack);
  expect_bound("max_abs_dot", row.max_abs_dot, max_abs_dot);
  expect_bound("far_a", row.far_a, far[0]);
  expect_bound("far_abs_score", row.far_abs_score, far[1]);
  expect_bound("far_kappa", row.far_kappa, far[2]);
  EXPECT_FALSE(is_outside(arb.m, row.max_score));
  EXPECT_FALSE(is_outside(arb.l, row.sum_exp));
  EXPECT_LE(row.sum_exp.hi - row.sum_exp.lo, 0x1p-48 * row.sum_exp.hi);
  const auto argmax = static_cast<std::size_t>(row.argmax - arb.keys.first);
  EXPECT_FALSE(arb.s[argmax] < arb.m);
}

// By definition, without the recurrence that the oracle uses.
Ball exact_peak(const ArbRow& arb, const std::vector<double>& v) {
  Ball peak;
  Ball top = arb.s.front();
  for (std::size_t t = 0; t < v.size(); ++t) {
    top = max(top, arb.s[t]);
    Ball sum;
    for (std::size_t n = 0; n <= t; ++n) sum += exp(arb.s[n] - top) * abs(Ball(v[n]));
    peak = max(peak, sum);
  }
  return peak;
}

void check_element(const ElementMoments& element, const RowMoments& row, const ArbRow& arb,
                   const std::vector<ExactKey>& keys, const std::vector<double>& v, const Ball& o,
                   Format format) {
  Ball sum_pi_abs_v;
  Ball sum_pi_floor_v;
  Ball sum_pi_dev[kFactorCount];
  Ball sum_abs_v;
  Ball sum_floor_v;
  Ball sum_dev;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    const Ball magnitude = abs(Ball(v[n]));
    const Ball floored(floor_in(format, v[n]));
    const Ball deviation = abs(Ball(v[n]) - o);
    sum_abs_v += magnitude;
    sum_floor_v += floored;
    sum_dev += deviation;
    if (!keys[n].near) continue;
    sum_pi_abs_v += arb.pi[n] * magnitude;
    sum_pi_floor_v += arb.pi[n] * floored;
    for (std::size_t f = 0; f < kFactorCount; ++f) {
      sum_pi_dev[f] += arb.pi[n] * keys[n].f[f] * deviation;
    }
  }
  expect_bound("sum_pi_abs_v", element.sum_pi_abs_v, sum_pi_abs_v);
  expect_bound("sum_pi_floor_v", element.sum_pi_floor_v, sum_pi_floor_v);
  expect_bound("sum_abs_v", element.sum_abs_v, sum_abs_v);
  expect_bound("sum_floor_v", element.sum_floor_v, sum_floor_v);
  expect_bound("peak_abs", element.peak_abs, exact_peak(arb, v));
  const double slack = kCancelled * element.sum_abs_v;
  expect_bound("sum_dev", element.sum_dev, sum_dev, slack);
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    expect_bound("sum_pi_dev", element.sum_pi_dev[f], sum_pi_dev[f],
                 slack * (row.sum_pi[f] + row.max_near[kA]));
  }
}

struct Seen {
  Index rows = 0;
  Index rows_with_far_keys = 0;
};

void check_case(const DrawnCase& drawn, Seen& seen) {
  const Problem& p = drawn.problem;
  const Answer answer = enclose_forward(p, drawn.inputs);
  const Index i = p.n_q / 2;  // one row of each head is enough here
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      const std::size_t row = row_index(p, b, h, i);
      if (answer.lse_class[row] != OutputClass::finite) continue;
      const ArbRow arb = arb_row(p, drawn.inputs, b, h, i);
      std::vector<ExactKey> keys;
      for (std::size_t n = 0; n < arb.s.size(); ++n) {
        keys.push_back(exact_key(drawn, arb, b, h, i, n));
      }
      check_row(answer.rows[row], arb, keys);
      for (Index k = 0; k < p.d_v; ++k) {
        const auto v = column_of_v(drawn, arb, b, h, k);
        const std::size_t e = row * static_cast<std::size_t>(p.d_v) + static_cast<std::size_t>(k);
        check_element(answer.elements[e], answer.rows[row], arb, keys, v,
                      arb.o[static_cast<std::size_t>(k)], p.in);
      }
      ++seen.rows;
      seen.rows_with_far_keys += answer.rows[row].far_keys > 0;
    }
  }
}

TEST(Moments, AreNeverBelowTheirDefinitionAndBarelyAbove) {
  Seen seen;
  for (std::uint64_t index = 0; index < 160; ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    check_case(drawn, seen);
    ASSERT_FALSE(testing::Test::HasFailure()) << to_string(drawn.problem) << " case " << index;
  }
  EXPECT_GE(seen.rows, 300);
  EXPECT_GE(seen.rows_with_far_keys, 20);
}

TEST(Moments, CountTheKeysNearTheMaximum) {
  Problem p;
  p.in = Format::f32;
  p.n_k = 4;
  Inputs inputs = zero_inputs(p);
  inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, 1));
  const double keys[] = {2.5, 3, 3, 1};
  for (Index j = 0; j < 4; ++j) {
    inputs.k.view().set_bits(0, 0, j, 0, round_to_bits(p.in, keys[j]));
  }
  const RowMoments row = enclose_forward(p, inputs).rows[0];
  EXPECT_EQ(row.argmax, 1);  // the first of two equal maxima
  EXPECT_EQ(row.keys_near_max, 3);
  EXPECT_EQ(row.max_score, (Enclosure{3, 3}));
}

}  // namespace
}  // namespace attest::moments_test
