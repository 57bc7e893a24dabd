// Goal: every live score's exact value lies within the radius that stands beside it, also where
// products cancel, and rows that cannot be known are said not to be.
#include "oracle/enclose_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/mask.hpp"
#include "oracle/real.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::enclose_scores_test {
namespace {

using Wide = Real<200>;

struct ExactDot {
  Wide dot = 0;
  Wide size = 0;
  Index products = 0;
};

ExactDot exact_dot(const Problem& p, const Inputs& inputs, Index b, Index h, Index i, Index j) {
  ExactDot exact;
  const Index key_head = h / (p.heads_q / p.heads_k);
  for (Index c = 0; c < p.d_qk; ++c) {
    const double q = inputs.q.view().value(b, h, i, c);
    const double k = inputs.k.view().value(b, key_head, j, c);
    exact.dot += Wide(q) * Wide(k);
    if (q == 0 || k == 0) continue;
    ++exact.products;
    exact.size += Wide(std::max(std::fabs(q), smallest_normal(p.in))) *
                  Wide(std::max(std::fabs(k), smallest_normal(p.in)));
  }
  return exact;
}

void expect_encloses(const Problem& p, const Inputs& inputs) {
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_q; ++h) {
      const HeadScores scores = enclose_scores(p, inputs, b, h);
      for (Index i = 0; i < p.n_q; ++i) {
        const RowScores& row = scores.rows[static_cast<std::size_t>(i)];
        const KeyRange live = live_range(p, b, i);
        EXPECT_EQ(row.first, live.first);
        EXPECT_EQ(row.end, live.end);
        for (Index j = row.first; j < row.end; ++j) {
          const ExactDot exact = exact_dot(p, inputs, b, h, i, j);
          const Wide size = scores.size[scores.at(i, j)];
          EXPECT_LE(exact.products, row.products);
          EXPECT_GE(size, exact.size);
          EXPECT_LE(size, exact.size * (1 + 0x1p-40));
          EXPECT_LE(abs(exact.dot - Wide(scores.dot[scores.at(i, j)])),
                    size * Wide(scores.relative_radius));
        }
      }
    }
  }
}

TEST(EncloseScores, HoldsTheExactScoreOfEveryLivePair) {
  for (const Format format : {Format::f32, Format::f16, Format::bf16}) {
    for (std::uint64_t index = 0; index < 2 * kValueKinds; ++index) {
      const DrawnCase c = draw_oracle_case(index, format);
      SCOPED_TRACE(to_string(c.problem));
      expect_encloses(c.problem, c.inputs);
    }
  }
}

TEST(EncloseScores, KnowsTheRowsWithFiniteOperandsOnly) {
  Problem p;
  p.n_q = 3;
  p.n_k = 3;
  p.d_qk = 2;
  p.right = 0;  // row i sees keys 0..i
  Inputs inputs = zero_inputs(p);
  const std::uint64_t nan = round_to_bits(Format::f16, NAN);
  const auto known = [&] {
    std::string text;
    for (const RowScores& row : enclose_scores(p, inputs, 0, 0).rows) text += row.known ? "y" : "n";
    return text;
  };
  EXPECT_EQ(known(), "yyy");
  inputs.q.view().set_bits(0, 0, 0, 1, nan);
  EXPECT_EQ(known(), "nyy");
  inputs.k.view().set_bits(0, 0, 2, 0, nan);
  EXPECT_EQ(known(), "nyn");
}

TEST(EncloseScores, KnowsNoRowOfBinary64) {
  Problem p;
  p.in = p.out = Format::f64;
  EXPECT_FALSE(enclose_scores(p, zero_inputs(p), 0, 0).rows[0].known);
}

}  // namespace
}  // namespace attest::enclose_scores_test
