#include "tests/oracle/doubled_containment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/enclose_forward.hpp"

namespace attest {
namespace {

// Both are upper bounds of one number, and neither is further above it than this, relatively.
constexpr double kSharp = 0x1p-44;
// The rounding of doubled numbers, for each unit of the magnitudes that go into a sum.
constexpr double kRounding = 0x1p-88;
// What keys may add that are too far below the maximum to be worked.
constexpr double kDropped = 0x1p-620;

bool holds(const Enclosure& outer, const Enclosure& inner) {
  return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

bool meet(const Enclosure& a, const Enclosure& b) { return a.lo <= b.hi && b.lo <= a.hi; }

// `size`: the magnitudes behind both.
void expect_near(double doubled, double sharp, double size, const char* what) {
  if (std::isinf(sharp)) {
    EXPECT_EQ(doubled, sharp) << what;
    return;
  }
  EXPECT_LE(std::fabs(doubled - sharp), kSharp * sharp + kRounding * size + kDropped) << what;
}

// Gaps are differences of scores, whose magnitudes are `a`.
double size_of_factor(std::size_t f, double a) { return f == kGap || f == kAbsScore ? a : 0; }

void expect_row_moments(const RowMoments& doubled, const RowMoments& sharp, double a) {
  EXPECT_EQ(doubled.live_keys, sharp.live_keys);
  EXPECT_EQ(doubled.first_live, sharp.first_live);
  EXPECT_EQ(doubled.last_live, sharp.last_live);
  EXPECT_EQ(doubled.far_keys, sharp.far_keys);
  EXPECT_EQ(doubled.max_products, sharp.max_products);
  EXPECT_TRUE(meet(doubled.max_score, sharp.max_score));
  EXPECT_TRUE(meet(doubled.sum_exp, sharp.sum_exp));
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    expect_near(doubled.sum_pi[f], sharp.sum_pi[f], size_of_factor(f, a), "sum_pi");
    expect_near(doubled.max_near[f], sharp.max_near[f], size_of_factor(f, a), "max_near");
  }
  expect_near(doubled.max_live_abs_score, sharp.max_live_abs_score, a, "max_live_abs_score");
  expect_near(doubled.max_abs_dot, sharp.max_abs_dot, 0, "max_abs_dot");
}

void expect_element_moments(const ElementMoments& doubled, const ElementMoments& sharp,
                            const RowMoments& row, double a) {
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    // Each |v - O| has O's radius, which grows with the errors of scores.
    const double size = sharp.sum_abs_v * (1 + a) * (1 + row.max_near[f]);
    expect_near(doubled.sum_pi_dev[f], sharp.sum_pi_dev[f], size, "sum_pi_dev");
  }
  expect_near(doubled.sum_dev, sharp.sum_dev, 33 * sharp.sum_abs_v * (1 + a), "sum_dev");
  expect_near(doubled.sum_pi_abs_v, sharp.sum_pi_abs_v, 0, "sum_pi_abs_v");
  expect_near(doubled.sum_pi_floor_v, sharp.sum_pi_floor_v, 0, "sum_pi_floor_v");
  expect_near(doubled.sum_abs_v, sharp.sum_abs_v, 0, "sum_abs_v");
  expect_near(doubled.sum_floor_v, sharp.sum_floor_v, 0, "sum_floor_v");
  expect_near(doubled.peak_abs, sharp.peak_abs, 0, "peak_abs");
}

// What dropped keys may cost stands in both answers, and neither is narrower than that.
constexpr double kLeast = 0x1p-700;

bool nearly_holds(const Enclosure& outer, const Enclosure& inner) {
  return outer.lo - kLeast <= inner.lo && inner.hi <= outer.hi + kLeast;
}

void compare_gradient(const GradientAnswer& doubled, const GradientAnswer& sharp,
                      ComparedGradients& all) {
  EXPECT_EQ(doubled.classes, sharp.classes);
  for (std::size_t e = 0; e < sharp.values.size(); ++e) {
    const Enclosure& value = doubled.values[e];
    EXPECT_TRUE(nearly_holds(value, sharp.values[e]))
        << value.lo << ' ' << sharp.values[e].lo << ' ' << value.hi - sharp.values[e].hi;
    all.narrow += value.hi - value.lo <= 0x1p-50 * std::fabs(value.hi);
    ++all.elements;
  }
}

// `doubled` is at least `sharp` is at least what both bound, but for the last place of `sharp`.
void expect_bound(double doubled, double sharp, double size, const char* what) {
  if (doubled == sharp) return;  // both infinite, perhaps
  EXPECT_GE(doubled, sharp * (1 - 0x1p-47) - 0x1p-80 * size) << what;
  EXPECT_LE(doubled, sharp * (1 + 0x1p-47) + 0x1p-80 * size + 0x1p-1070) << what;
}

void compare_rows(const BackwardRow& doubled, const BackwardRow& sharp) {
  EXPECT_EQ(doubled.sharp, sharp.sharp);
  EXPECT_TRUE(nearly_holds(doubled.lse, sharp.lse));
  EXPECT_TRUE(nearly_holds(doubled.d, sharp.d));
  double size_of_d = doubled.sum_abs_dout_o;
  for (const Pair& pair : sharp.pairs) size_of_d = std::max(size_of_d, (1 + pair.a) * pair.g);
  size_of_d *= 1 + sharp.max_abs_dot;
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
    if (a.abs_log_pi != b.abs_log_pi) {
      const double slack = 0x1p-44 * (1 + b.abs_log_pi + 0x1p-40 * b.a);
      EXPECT_LE(std::fabs(a.abs_log_pi - b.abs_log_pi), slack);
    }
    expect_bound(a.abs_dp, b.abs_dp, b.g, "abs_dp");
    // D has the errors of all pairs.
    expect_bound(a.abs_dp_less_d, b.abs_dp_less_d, size_of_d, "abs_dp_less_d");
  }
}

void divide_by_3(Tensor& x) {
  const TensorView view = x.view();
  for (Index b = 0; b < view.extents[0]; ++b) {
    for (Index h = 0; h < view.extents[1]; ++h) {
      for (Index row = 0; row < view.extents[2]; ++row) {
        for (Index column = 0; column < view.extents[3]; ++column) {
          const double value = view.value(b, h, row, column) / 3;
          view.set_bits(b, h, row, column, round_to_bits(view.format, value));
        }
      }
    }
  }
}

}  // namespace

Inputs with_all_bits(const Inputs& inputs) {
  Inputs result = inputs;
  for (Tensor* x : {&result.q, &result.k, &result.v, &result.dout}) divide_by_3(*x);
  return result;
}

void expect_doubled_rows_hold(const Problem& p, const Inputs& inputs, ComparedRows& result) {
  const Answer sharp = enclose_forward(p, inputs, kFirstMultiprecision);
  const Answer doubled = enclose_forward(p, inputs, Precision::doubled);
  EXPECT_EQ(doubled.o_class, sharp.o_class);
  EXPECT_EQ(doubled.lse_class, sharp.lse_class);
  const auto d_v = static_cast<std::size_t>(p.d_v);
  for (std::size_t row = 0; row < doubled.rows.size(); ++row) {
    if (sharp.lse_class[row] != OutputClass::finite) continue;
    ++result.rows;
    if (doubled.bits[row] != kDoubledBits) continue;
    ++result.by_itself;
    EXPECT_TRUE(holds(doubled.lse[row], sharp.lse[row]));
    const double a = p.scale * sharp.rows[row].max_abs_dot;
    expect_row_moments(doubled.rows[row], sharp.rows[row], a);
    for (std::size_t e = row * d_v; e < (row + 1) * d_v; ++e) {
      EXPECT_TRUE(holds(doubled.o[e], sharp.o[e]))
          << doubled.o[e].lo << ' ' << sharp.o[e].lo << ' ' << doubled.o[e].hi - sharp.o[e].hi;
      expect_element_moments(doubled.elements[e], sharp.elements[e], sharp.rows[row], a);
      ++result.elements;
    }
  }
}

void expect_doubled_gradients_hold(const Problem& problem, const Inputs& inputs,
                                   const std::optional<StoredForward>& stored,
                                   ComparedGradients& all) {
  const BackwardAnswer sharp = enclose_backward(problem, inputs, stored, kFirstMultiprecision);
  const BackwardAnswer doubled = enclose_backward(problem, inputs, stored, Precision::doubled);
  ++all.answers;
  if (doubled.bits != kDoubledBits) return;
  ++all.by_itself;
  compare_gradient(doubled.dq, sharp.dq, all);
  compare_gradient(doubled.dk, sharp.dk, all);
  compare_gradient(doubled.dv, sharp.dv, all);
  for (std::size_t r = 0; r < sharp.rows.size(); ++r) compare_rows(doubled.rows[r], sharp.rows[r]);
}

}  // namespace attest
