// Goal: operands are widened exactly, and their magnitudes are bounds from above, close by.
#include "oracle/operands.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/oracle/ball.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::operands_test {
namespace {

TEST(Operands, FloorLiftsSubnormalsOfTheFormatOnly) {
  EXPECT_EQ(floor_of(Format::f16, 0x1p-20), 0x1p-14);
  EXPECT_EQ(floor_of(Format::f16, -0x1p-14), 0x1p-14);
  EXPECT_EQ(floor_of(Format::f16, -3.0), 3.0);
  EXPECT_EQ(floor_of(Format::f16, 0.0), 0.0);
  EXPECT_EQ(floor_of(Format::bf16, 0x1p-20), 0x1p-20);
  EXPECT_EQ(floor_of(Format::bf16, 0x1p-130), 0x1p-126);
}

TEST(Operands, ReadsTheHeadAsked) {
  const DrawnCase drawn = draw_oracle_case(29);
  const Problem& p = drawn.problem;
  ASSERT_GT(p.n_k, 0);
  const Index h_k = p.heads_k - 1;
  const KeyHead head = read_key_head(p, drawn.inputs, p.batch - 1, h_k);
  for (Index j = 0; j < p.n_k; ++j) {
    for (Index d = 0; d < p.d_qk; ++d) {
      EXPECT_EQ(head.k_row(j)[d], drawn.inputs.k.view().value(p.batch - 1, h_k, j, d));
    }
    for (Index d = 0; d < p.d_v; ++d) {
      EXPECT_EQ(head.v_row(j)[d], drawn.inputs.v.view().value(p.batch - 1, h_k, j, d));
    }
  }
}

TEST(Operands, MarksKeysThatAreNotFinite) {
  Problem p;
  p.n_k = 2;
  Inputs inputs = zero_inputs(p);
  inputs.k.view().set_bits(0, 0, 1, 0, 0x7c00);
  inputs.v.view().set_bits(0, 0, 0, 0, 0x7e00);
  const KeyHead head = read_key_head(p, inputs, 0, 0);
  EXPECT_EQ(head.finite, (std::vector<unsigned char>{1, 0}));
  EXPECT_FALSE(head.v_finite);
  EXPECT_TRUE(read_query_row(p, inputs, 0, 0, 0).finite);
}

// got is at least the exact value and above it by 2^-30 at most (or by what underflow may hide).
void expect_close_above(double got, const Ball& exact) {
  EXPECT_TRUE(exact <= Ball(got)) << got << " against " << exact.ends().hi;
  EXPECT_LE(got, exact.ends().hi * (1 + 0x1p-30) + 0x1p-1000);
}

TEST(Operands, MagnitudesAreNeverBelowAndBarelyAbove) {
  Index keys_seen = 0;
  for (std::uint64_t index = 0; index < 64; ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    const Problem& p = drawn.problem;
    const KeyHead head = read_key_head(p, drawn.inputs, 0, 0);
    const QueryRow query = read_query_row(p, drawn.inputs, 0, 0, 0);
    std::vector<Index> keys(static_cast<std::size_t>(p.n_k));
    std::iota(keys.begin(), keys.end(), Index{0});
    const PairMagnitudes magnitudes = measure(head, query, p.scale, keys);
    for (const Index j : keys) {
      const auto n = static_cast<std::size_t>(j);
      Ball abs_dot;
      Ball a;
      Ball kappa;
      Index products = 0;
      for (Index d = 0; d < p.d_qk; ++d) {
        const double q = query.q[static_cast<std::size_t>(d)];
        const double k = head.k_row(j)[d];
        abs_dot += abs(Ball(q) * Ball(k));
        a += Ball(floor_of(p.in, q)) * Ball(floor_of(p.in, k));
        kappa += abs(Ball(k));
        products += q != 0 && k != 0;
      }
      expect_close_above(magnitudes.abs_dot[n], abs_dot);
      expect_close_above(magnitudes.a[n], Ball(p.scale) * a);
      expect_close_above(head.kappa[n], kappa);
      EXPECT_EQ(magnitudes.products[n], products);
      ++keys_seen;
    }
  }
  EXPECT_GE(keys_seen, 500);
}

}  // namespace
}  // namespace attest::operands_test
