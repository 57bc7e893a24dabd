// Goal: dO.v of every live pair and dO.o of every row that sees a key lie within the radius that
// stands beside them, and what cannot be known is said not to be.
#include "oracle/enclose_head_gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/mask.hpp"
#include "oracle/real.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::enclose_head_gradients_test {
namespace {

using Wide = Real<200>;

struct ExactDot {
  Wide dot = 0;
  Wide size = 0;
  Index products = 0;

  void add(double x, double y, double floor) {
    dot += Wide(x) * Wide(y);
    if (x == 0 || y == 0) return;
    ++products;
    size += Wide(std::max(std::fabs(x), floor)) * Wide(std::max(std::fabs(y), floor));
  }
};

// What is known of one head.
struct Head {
  HeadScores dp;
  std::vector<RowDot> d;
};

void expect_row(const DrawnGradients& c, const Head& head, Index b, Index h, Index i) {
  const Problem& p = c.problem;
  const RowScores& row = head.dp.rows[static_cast<std::size_t>(i)];
  const KeyRange live = live_range(p, b, i);
  EXPECT_EQ(row.first, live.first);
  EXPECT_EQ(row.end, live.end);
  const Index key_head = h / (p.heads_q / p.heads_k);
  const auto dout = [&](Index k) { return c.inputs.dout.view().value(b, h, i, k); };
  for (Index j = row.first; j < row.end; ++j) {
    ExactDot exact;
    for (Index k = 0; k < p.d_v; ++k) {
      exact.add(dout(k), c.inputs.v.view().value(b, key_head, j, k), smallest_normal(p.in));
    }
    const Wide size = head.dp.size[head.dp.at(i, j)];
    EXPECT_LE(exact.products, row.products);
    EXPECT_GE(size, exact.size);
    EXPECT_LE(size, exact.size * (1 + 0x1p-40));
    EXPECT_LE(abs(exact.dot - Wide(head.dp.dot[head.dp.at(i, j)])),
              size * Wide(head.dp.relative_radius));
  }
  if (live.first == live.end) return;
  ExactDot d;
  for (Index k = 0; k < p.d_v; ++k) d.add(dout(k), c.o.view().value(b, h, i, k), 0);
  const RowDot& stored = head.d[static_cast<std::size_t>(i)];
  EXPECT_TRUE(stored.known);
  EXPECT_EQ(stored.products, d.products);
  double largest = 0;
  for (Index k = 0; k < p.d_v; ++k) {
    if (dout(k) != 0) largest = std::max(largest, std::fabs(c.o.view().value(b, h, i, k)));
  }
  EXPECT_EQ(stored.largest, largest);
  EXPECT_GE(Wide(stored.size), d.size);
  EXPECT_LE(abs(d.dot - Wide(stored.dot)), Wide(stored.radius));
}

TEST(EncloseHeadGradients, HoldsTheExactDotsOfEveryRow) {
  Index rows = 0;
  for (std::uint64_t index = 0; index < 48; ++index) {
    const DrawnGradients c = draw_gradient_case(index);
    const Problem& p = c.problem;
    if (p.in == Format::f64 || p.out == Format::f64) continue;
    SCOPED_TRACE(to_string(p));
    for (Index b = 0; b < p.batch; ++b) {
      for (Index h = 0; h < p.heads_q; ++h) {
        const Head head{enclose_dp(p, c.inputs, b, h),
                        enclose_row_dots(p, c.inputs, c.o.view(), b, h)};
        for (Index i = 0; i < p.live_queries(b); ++i, ++rows) expect_row(c, head, b, h, i);
      }
    }
  }
  EXPECT_GT(rows, 100);
}

struct Known {
  std::string pairs;
  std::string d;
  friend bool operator==(const Known&, const Known&) = default;
};

Known known(const Problem& p, const Inputs& inputs, const Tensor& o) {
  Known rows;
  for (const RowScores& row : enclose_dp(p, inputs, 0, 0).rows) rows.pairs += row.known ? "y" : "n";
  for (const RowDot& row : enclose_row_dots(p, inputs, o.view(), 0, 0)) {
    rows.d += row.known ? "y" : "n";
  }
  return rows;
}

TEST(EncloseHeadGradients, KnowsTheRowsWithFiniteOperandsOnly) {
  Problem p;
  p.pass = Pass::bwd;
  p.n_q = 3;
  p.n_k = 3;
  p.d_v = 2;
  p.right = 0;  // row i sees keys 0..i
  Inputs inputs = zero_inputs(p);
  Tensor o(p.out, p.o_extents());
  const std::uint64_t infinity = round_to_bits(Format::f16, INFINITY);
  EXPECT_EQ(known(p, inputs, o), (Known{"yyy", "yyy"}));
  o.view().set_bits(0, 0, 1, 0, infinity);
  EXPECT_EQ(known(p, inputs, o), (Known{"yyy", "yny"}));
  inputs.v.view().set_bits(0, 0, 2, 0, infinity);
  EXPECT_EQ(known(p, inputs, o), (Known{"yyn", "yny"}));
  inputs.dout.view().set_bits(0, 0, 0, 1, infinity);
  EXPECT_EQ(known(p, inputs, o), (Known{"nyn", "nny"}));
}

TEST(EncloseHeadGradients, KnowsNothingOfRowsThatSeeNoKeyOrOfBinary64) {
  Problem p;
  p.pass = Pass::bwd;
  p.n_q = 2;
  p.right = -1;
  p.align = Align::top_left;  // row 0 sees nothing
  EXPECT_EQ(known(p, zero_inputs(p), Tensor(p.out, p.o_extents())), (Known{"ny", "ny"}));
  p = {};
  p.pass = Pass::bwd;
  p.in = p.out = Format::f64;
  EXPECT_EQ(known(p, zero_inputs(p), Tensor(p.out, p.o_extents())), (Known{"n", "n"}));
}

}  // namespace
}  // namespace attest::enclose_head_gradients_test
