// Goal: the formulas give the figures that are published for IO-aware attention.
#include <gtest/gtest.h>

#include <algorithm>

#include "traffic/forward_traffic.hpp"
#include "traffic/live_counts.hpp"
#include "traffic/work.hpp"

namespace attest::published_figures_test {
namespace {

constexpr Index kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

Problem square(Index n, Index heads, Index d) {
  Problem p;
  p.heads_q = p.heads_k = heads;
  p.n_q = p.n_k = n;
  p.d_qk = p.d_v = d;
  return p;
}

Traffic of(const MemoryUse& use, std::string_view tensor) {
  return std::ranges::find(use.traffic, tensor, &TensorTraffic::tensor)->traffic;
}

TEST(PublishedFigures, OfAScoreMatrixInSixteenBits) {
  const auto scores = [](Index n, Index heads) {
    return of(materialising_forward_traffic(square(n, heads, 64), 2), "s").bytes_written;
  };
  EXPECT_EQ(scores(4096, 1), 32 * kMiB);
  EXPECT_EQ(scores(4096, 16), 512 * kMiB);
  EXPECT_EQ(scores(8192, 1), 128 * kMiB);
}

// S is written and read, then P: 8 n^2 bytes, for 4 n^2 d operations.
TEST(PublishedFigures, OfTheIntensityOfMaterialising) {
  for (const Index d : {64, 128}) {
    const Problem p = square(4096, 1, d);
    const MemoryUse use = materialising_forward_traffic(p, 2);
    const Traffic s = of(use, "s"), weights = of(use, "p");
    const Index n2 = p.n_q * p.n_k;
    const Index of_scores =
        s.bytes_written + s.bytes_read + weights.bytes_written + weights.bytes_read;
    EXPECT_EQ(of_scores, 8 * n2);
    EXPECT_EQ(forward_flops(p), 4 * n2 * d);
    EXPECT_EQ(2 * forward_flops(p), d * of_scores);
  }
}

TEST(PublishedFigures, OfTilesAccumulatorsAndCaches) {
  EXPECT_EQ(matrix_bytes(128, 128, 2), 32 * kKiB);
  EXPECT_EQ(tiles_over(4096, 128), 32);
  EXPECT_EQ(matrix_bytes(128, 64, 4), 32 * kKiB);
  const Index k_and_v = 2 * matrix_bytes(128'000, 4096, 2);
  EXPECT_EQ((100 * k_and_v + kGiB / 2) / kGiB, 195);
}

}  // namespace
}  // namespace attest::published_figures_test
