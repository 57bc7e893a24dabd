// Goal: a row's pass over a tile gives P and dS of its live keys and zeros elsewhere, and its costs
// cover what binary64 lost, however the keys fall into lanes.
#include "oracle/gradient_tile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "oracle/lanes.hpp"

namespace attest::gradient_tile_test {
namespace {

constexpr Index kWidth = 21;

struct Worked {
  std::vector<double> p, ds;
  std::vector<float> weight_costs, score_costs;
};

struct Row {
  std::vector<double> dots, products;
  std::vector<double> k_norm = std::vector<double>(kWidth, 2.0);
  std::vector<double> v_norm = std::vector<double>(kWidth, 3.0);
  GradientTile tile;

  Row() {
    for (std::uint32_t n = 0; n < kWidth; ++n) {
      dots.push_back(4 * gaussian(1, {0, 0, 0, 0, n}));
      products.push_back(gaussian(1, {1, 0, 0, 0, n}));
    }
    tile.width = kWidth;
    tile.scale = 0.5;
    tile.lse = 1.25;
    tile.d = 0.125;
    tile.log_error = 0x1p-40;
    tile.score_error = 0x1p-42;
    tile.dp_error = 0x1p-44;
    tile.d_error = 0x1p-43;
    tile.rounding = 0x1p-45;
    tile.weight_unit = 0x1p-40;
    tile.score_unit = 0x1p-41;
    tile.k_norm = k_norm.data();
    tile.v_norm = v_norm.data();
  }

  [[nodiscard]] Worked work(Index first, Index end) const {
    Worked w{dots, products, std::vector<float>(kWidth, 9), std::vector<float>(kWidth, 9)};
    GradientTile t = tile;
    t.live_first = first;
    t.live_end = end;
    work_gradient_tile(t, w.p.data(), w.ds.data(), w.weight_costs.data(), w.score_costs.data());
    return w;
  }
};

TEST(GradientTile, GivesWeightsScoreGradientsAndTheirCosts) {
  const Row row;
  const Worked w = row.work(0, kWidth);
  for (std::size_t n = 0; n < kWidth; ++n) {
    const long double x = 0.5L * static_cast<long double>(row.dots[n]) - 1.25L;
    const long double p = std::exp(x);
    const long double difference = static_cast<long double>(row.products[n]) - 0.125L;
    EXPECT_NEAR(static_cast<double>(w.p[n] / p), 1, 1e-15);
    EXPECT_NEAR(w.ds[n], static_cast<double>(p * difference), 1e-15);
    const auto relative = 0x1p-40L + 2 * 0x1p-42L + 0x1p-45L;
    const auto error = 3 * 0x1p-44L + 0x1p-43L + 0x1p-53L * std::fabs(difference);
    const auto cost = p * (std::fabs(difference) * relative + error * (1 + 0x1p-10L));
    EXPECT_NEAR(static_cast<double>(w.weight_costs[n] * 0x1p-40L / (p * relative)), 1, 1e-6);
    EXPECT_NEAR(static_cast<double>(w.score_costs[n] * 0x1p-41L / cost), 1, 1e-6);
  }
}

TEST(GradientTile, GivesTheSameBitsInLanesAndOneByOneAndZerosElsewhere) {
  const Row row;
  const Worked all = row.work(0, kWidth);
  for (Index first = 0; first <= kWidth; ++first) {
    for (Index end = first; end <= kWidth; ++end) {
      const Worked w = row.work(first, end);
      for (std::size_t n = 0; n < kWidth; ++n) {
        const bool live = static_cast<Index>(n) >= first && static_cast<Index>(n) < end;
        ASSERT_EQ(w.p[n], live ? all.p[n] : 0);
        ASSERT_EQ(w.ds[n], live ? all.ds[n] : 0);
        ASSERT_EQ(w.weight_costs[n], live ? all.weight_costs[n] : 0);
        ASSERT_EQ(w.score_costs[n], live ? all.score_costs[n] : 0);
      }
    }
  }
}

TEST(GradientTile, AddsNoScoreGradientsOfARowThatHasNone) {
  Row row;
  row.tile.scores = false;
  const Worked w = row.work(0, kWidth);
  for (std::size_t n = 0; n < kWidth; ++n) {
    EXPECT_GT(w.p[n], 0);
    EXPECT_EQ(w.ds[n], 0);
    EXPECT_EQ(w.score_costs[n], 0);
    EXPECT_GT(w.weight_costs[n], 0);
  }
}

}  // namespace
}  // namespace attest::gradient_tile_test
