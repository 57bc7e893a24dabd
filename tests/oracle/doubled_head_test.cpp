// Goal: gradients in doubled numbers hold those of multiprecision in both views, and their pairs
// are upper bounds as sharp; what they cannot do goes up the ladder.
#include "oracle/doubled_head.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/enclose_backward.hpp"
#include "oracle/upward.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest {
namespace {

// What dropped keys may cost stands in both answers, and neither is narrower than that.
constexpr double kDropped = 0x1p-700;

bool holds(const Enclosure& outer, const Enclosure& inner) {
  return outer.lo - kDropped <= inner.lo && inner.hi <= outer.hi + kDropped;
}

struct Compared {
  Index answers = 0;
  Index by_itself = 0;
  Index elements = 0;
  Index narrow = 0;  // elements known to within a few places of binary64
};

void compare_gradient(const GradientAnswer& doubled, const GradientAnswer& sharp, Compared& all) {
  EXPECT_EQ(doubled.classes, sharp.classes);
  for (std::size_t e = 0; e < sharp.values.size(); ++e) {
    const Enclosure& value = doubled.values[e];
    EXPECT_TRUE(holds(value, sharp.values[e]))
        << value.lo << ' ' << sharp.values[e].lo << ' ' << value.hi - sharp.values[e].hi;
    all.narrow += value.hi - value.lo <= 0x1p-50 * std::fabs(value.hi);
    ++all.elements;
  }
}

// `doubled` is at least `sharp` is at least what both bound, but for the last place of `sharp`.
void expect_bound(double doubled, double sharp, double size, const char* what) {
  EXPECT_GE(doubled, sharp * (1 - 0x1p-47) - 0x1p-80 * size) << what;
  EXPECT_LE(doubled, sharp * (1 + 0x1p-47) + 0x1p-80 * size + 0x1p-1070) << what;
}

void compare_rows(const BackwardRow& doubled, const BackwardRow& sharp) {
  EXPECT_EQ(doubled.sharp, sharp.sharp);
  EXPECT_TRUE(holds(doubled.lse, sharp.lse));
  EXPECT_TRUE(holds(doubled.d, sharp.d));
  ASSERT_EQ(doubled.pairs.size(), sharp.pairs.size());
  for (std::size_t n = 0; n < sharp.pairs.size(); ++n) {
    const Pair& a = doubled.pairs[n];
    const Pair& b = sharp.pairs[n];
    EXPECT_EQ(a.j, b.j);
    EXPECT_EQ(a.products, b.products);
    // A sharp row promises this much to whoever starts from its weights.
    EXPECT_GE(a.pi, b.pi * (1 - 0x1p-51) - 0x1p-1070);
    EXPECT_LE(a.pi, b.pi * (1 + 0x1p-51) + 0x1p-1070);
    expect_bound(a.abs_score, b.abs_score, b.a, "abs_score");
    EXPECT_LE(std::fabs(a.abs_log_pi - b.abs_log_pi), 0x1p-44 * (1 + b.abs_log_pi + b.a * 0x1p-40));
    expect_bound(a.abs_dp, b.abs_dp, b.g, "abs_dp");
    const double sizes = (1 + b.a) * (b.abs_dp + b.abs_dp_less_d);
    expect_bound(a.abs_dp_less_d, b.abs_dp_less_d, sizes + b.g + b.a * doubled.sum_abs_dout_o,
                 "abs_dp_less_d");
  }
}

void compare(const DrawnGradients& c, const std::optional<StoredForward>& stored, Compared& all) {
  const Precision sharper = Precision::digits50;
  const BackwardAnswer sharp = enclose_backward(c.problem, c.inputs, stored, sharper);
  const BackwardAnswer doubled = enclose_backward(c.problem, c.inputs, stored, Precision::doubled);
  ++all.answers;
  if (doubled.bits != kDoubledBits) return;
  ++all.by_itself;
  compare_gradient(doubled.dq, sharp.dq, all);
  compare_gradient(doubled.dk, sharp.dk, all);
  compare_gradient(doubled.dv, sharp.dv, all);
  for (std::size_t r = 0; r < sharp.rows.size(); ++r) compare_rows(doubled.rows[r], sharp.rows[r]);
}

TEST(DoubledHead, HoldsTheMultiprecisionAnswerOfDrawnCases) {
  Compared all;
  for (std::uint64_t index = 0; index < 160 && !::testing::Test::HasFailure(); ++index) {
    const DrawnGradients c = draw_gradient_case(index);
    SCOPED_TRACE("case " + std::to_string(index) + ' ' + to_string(c.problem));
    compare(c, std::nullopt, all);
    for (const bool d_from_p : {false, true}) compare(c, stored_of(c, d_from_p), all);
  }
  EXPECT_GE(all.by_itself, 200);
  EXPECT_GE(all.narrow, all.elements * 8 / 10);
}

}  // namespace
}  // namespace attest
