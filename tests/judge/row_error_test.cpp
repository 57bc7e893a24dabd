// Goal: the rules that leave a row without a finite budget hold at their edges, each for the reason
// it is named for, and no weaker declaration slips under them.
#include "judge/row_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/judge/declarations.hpp"

namespace attest::row_error_test {
namespace {

constexpr double kU = 0x1p-24;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two equal keys at score `s`, in tiles of their own unless stated otherwise.
RowMoments two_keys_at(double s) {
  RowMoments row;
  row.live_keys = 2;
  row.last_live = 16;
  row.max_score = {s, s};
  row.sum_exp = {2, 2};
  row.max_products = 1;
  row.max_live_abs_score = std::fabs(s);
  row.max_abs_dot = std::fabs(s);
  row.sum_pi = {1, std::fabs(s), std::fabs(s), 0, 1};
  row.max_near = {1, std::fabs(s), std::fabs(s), 0, 1};
  return row;
}

Unbounded why(const RowMoments& row, const std::string& changes = "", const Problem& p = {}) {
  return bound_row_error(p, resolve(changed(sharpest(), changes), p), row, false).unbounded;
}

Unbounded why_lse(const RowMoments& row, const std::string& changes) {
  return bound_row_error({}, resolve(changed(sharpest(), changes), {}), row, false).unbounded_lse;
}

Problem scaled(float scale) {
  Problem p;
  p.scale = scale;
  return p;
}

TEST(RowError, GrowsByTheFirstOrderAtZero) {
  EXPECT_EQ(growth(0), 1);
  EXPECT_NEAR(growth(1), std::exp(1.0) - 1, 1e-15);
  for (const double x : {1e-300, 1e-9, 0.01, 0.3, 1.0}) {
    for (const double part : {0.0, 0.25, 1.0}) {
      EXPECT_LE(std::expm1(part * x), growth(x) * part * x * (1 + 1e-15));
    }
  }
}

TEST(RowError, LeavesOutInfiniteSumsOfFactorsThatTakeNoPart) {
  EXPECT_EQ(dot({2, 0, 3, 0, 0}, {5, kInfinity, 7, kInfinity, kInfinity}), 31);
  EXPECT_EQ(dot({0, 1, 0, 0, 0}, {5, kInfinity, 7, 1, 1}), kInfinity);
}

TEST(RowError, CountsTilesFromTheFirstToTheLastLiveKey) {
  RowMoments row = two_keys_at(1);
  const struct {
    Index first, last, tile, tiles;
  } rows[] = {{0, 0, 16, 1},   {0, 15, 16, 1},  {0, 16, 16, 2}, {15, 16, 16, 2},
              {31, 32, 16, 2}, {16, 31, 16, 1}, {5, 5, 1, 1},   {5, 9, 1, 5},
              {6, 14, 7, 3},   {7, 13, 7, 1},   {0, 99, 100, 1}};
  for (const auto& [first, last, tile, tiles] : rows) {
    row.first_live = first;
    row.last_live = last;
    const std::string changes = "tile_k=" + std::to_string(tile);
    const Resolved a = resolve(changed(sharpest(), changes), {});
    EXPECT_EQ(bound_row_error({}, a, row, false).tiles, tiles) << first << ".." << last;
  }
}

TEST(RowError, HasARangeForScalesThatAreNormalAndLeaveRoomForLog2E) {
  const RowMoments row = two_keys_at(0);
  EXPECT_EQ(why(row, "", scaled(0x1p-126f)), Unbounded::no);
  EXPECT_EQ(why(row, "", scaled(0x1.fffffcp-127f)), Unbounded::range);
  EXPECT_EQ(why(row, "", scaled(0x1p-149f)), Unbounded::range);
  EXPECT_EQ(why(row, "", scaled(0x1.62e42ep127f)), Unbounded::no);
  EXPECT_EQ(why(row, "", scaled(0x1.62e432p127f)), Unbounded::range);
}

// Two scores of opposite sign must leave a finite difference.
TEST(RowError, HasNoRangeForDotsThatReachAQuarterOfBinary32) {
  RowMoments row = two_keys_at(1);
  row.max_abs_dot = std::nextafter(0x1p126, 0);
  EXPECT_EQ(why(row), Unbounded::no);
  row.max_abs_dot = 0x1p126;
  EXPECT_EQ(why(row), Unbounded::range);
  row.max_abs_dot = kInfinity;
  EXPECT_EQ(why(row), Unbounded::range);
}

// max_abs_score of all live keys, far ones included: their product with log2(e) is computed too.
TEST(RowError, HasNoRangeForScoresThatReachHalfOfBinary32) {
  RowMoments row = two_keys_at(1);
  const double edge = 0x1p127 / 1.4426950408889634;
  row.max_live_abs_score = edge * (1 - 1e-6);
  EXPECT_EQ(why(row), Unbounded::no);
  row.max_live_abs_score = edge;
  EXPECT_EQ(why(row), Unbounded::range);
}

TEST(RowError, HasNoRangeForF16ScoresThatMayRoundToInfinity) {
  RowMoments row = two_keys_at(65519);
  row.max_near[kA] = row.max_near[kAbsScore] = row.sum_pi[kA] = row.sum_pi[kAbsScore] = 0;
  EXPECT_EQ(why(row, "s_store=f16"), Unbounded::no);
  row.max_live_abs_score = 65520;
  EXPECT_EQ(why(row, "s_store=f16"), Unbounded::range);
  EXPECT_EQ(why(row, "s_store=bf16"), Unbounded::no);
  EXPECT_EQ(why(row, "s_store=none"), Unbounded::no);
  // What is stored is q.k: under a scale of 1/2 the same score comes from twice the product.
  row.max_live_abs_score = 32759;
  EXPECT_EQ(why(row, "s_store=f16", scaled(0.5f)), Unbounded::no);
  row.max_live_abs_score = 32760;
  EXPECT_EQ(why(row, "s_store=f16", scaled(0.5f)), Unbounded::range);
}

// |q| is no moment, so a scale above 1 may take any Q out of its format.
TEST(RowError, HasNoRangeForAQThatTheScaleEnlarges) {
  const RowMoments row = two_keys_at(0);
  EXPECT_EQ(why(row, "scale_at=q:f16", scaled(1.0f)), Unbounded::no);
  EXPECT_EQ(why(row, "scale_at=q:f16", scaled(0x1.000002p0f)), Unbounded::range);
  EXPECT_EQ(why(row, "scale_at=q:bf16", scaled(1.0f)), Unbounded::no);
  EXPECT_EQ(why(row, "scale_at=q:bf16", scaled(0x1.000002p0f)), Unbounded::range);
  EXPECT_EQ(why(row, "scale_at=scores", scaled(0x1.000002p0f)), Unbounded::no);
}

// A subject that does not say where it scales may store q.k before or after.
TEST(RowError, HasNoRangeForF16ScoresThatOverflowOnEitherSideOfTheScale) {
  Problem p = scaled(0.5f);
  const auto at = [&](double s) {
    RowMoments row = two_keys_at(0);
    row.max_live_abs_score = s;
    return why(row, "s_store=f16;scale_at=unknown", p);
  };
  EXPECT_EQ(at(32759), Unbounded::no);
  EXPECT_EQ(at(32760), Unbounded::range);
}

// The residual of a fused shift doubles or halves weights from u |s| = 1 on.
TEST(RowError, HasNoRangeForAFusedShiftOfUnitResidual) {
  RowMoments row = two_keys_at(1);
  row.max_live_abs_score = 0.999 / kU;  // dropped keys count
  EXPECT_EQ(why(row, "exponent=fused"), Unbounded::no);
  row.max_live_abs_score = 1 / kU;
  EXPECT_EQ(why(row, "exponent=fused"), Unbounded::range);
  EXPECT_EQ(why(row, "exponent=unknown"), Unbounded::range);
  EXPECT_EQ(why(row, "exponent=product_first"), Unbounded::no);
  EXPECT_EQ(why(row, "exponent=difference_first"), Unbounded::no);
  // In one tile the maximum alone is shifted.
  EXPECT_EQ(why(row, "exponent=fused;tile_k=17"), Unbounded::no);
  row = two_keys_at(-1 / kU);
  EXPECT_EQ(why(row, "exponent=fused;tile_k=17"), Unbounded::range);
}

TEST(RowError, HasNoUseForABoundAboveOne) {
  RowMoments row = two_keys_at(1);
  row.max_near[kA] = 0.999 / kU;
  EXPECT_EQ(why(row), Unbounded::no);
  row.max_near[kA] = 1.001 / kU;
  EXPECT_EQ(why(row), Unbounded::magnitude);
  // A common offset cancels in O under product_first with one tile, but never in LSE.
  EXPECT_EQ(why(two_keys_at(0.45 / kU), "exponent=difference_first"), Unbounded::no);
  const RowMoments offset = two_keys_at(0.45 / kU);
  EXPECT_EQ(why(offset, "exponent=product_first;tile_k=17"), Unbounded::no);
  EXPECT_EQ(why_lse(offset, "exponent=product_first;tile_k=17"), Unbounded::magnitude);
  // Between two fused tiles it counts twice in O, once in LSE.
  EXPECT_EQ(why(two_keys_at(0.33 / kU), "exponent=fused"), Unbounded::no);
  EXPECT_EQ(why(two_keys_at(0.34 / kU), "exponent=fused"), Unbounded::magnitude);
}

TEST(RowError, NeedsFarKeysToStayNegligibleAfterAllErrors) {
  RowMoments row = two_keys_at(1);
  row.live_keys = 3;
  row.far_keys = 1;
  row.far_a = 0.4 / kU;
  EXPECT_EQ(why(row), Unbounded::no);
  EXPECT_GT(bound_row_error({}, resolve(sharpest(), {}), row, false).far, 0);
  row.far_a = 0.6 / kU;
  EXPECT_EQ(why(row), Unbounded::magnitude);
  row.far_a = kInfinity;  // then nothing bounds the far scores themselves
  EXPECT_EQ(why(row), Unbounded::range);
  // The ratio of a factor that takes no part is no obstacle, unless it is infinite.
  row.far_a = 1;
  row.far_kappa = 1e30;
  EXPECT_EQ(why(row), Unbounded::no);
  EXPECT_EQ(why(row, "scale_at=q:f16"), Unbounded::magnitude);
}

TEST(RowError, WithoutFarKeysHasNoTermForThem) {
  EXPECT_EQ(bound_row_error({}, resolve(sharpest(), {}), two_keys_at(1), false).far, 0);
}

}  // namespace
}  // namespace attest::row_error_test
