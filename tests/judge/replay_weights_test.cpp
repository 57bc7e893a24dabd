// Goal: a kernel's own weights, computed in binary32 with errors up to those that it declares, lie
// in the sets that the replay gives them, whatever the form of the exponent; and most sets of
// 16-bit weights have one member.
#include "judge/replay_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "oracle/enclose_scores.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/replay_emulation.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {
namespace {

constexpr double kEps = 0x1p-22;  // of exp2
constexpr Index kTile = 8;

struct Found {
  Index weights = 0;
  Index known = 0;
};

void expect_sets_hold(const Problem& p, Exponent form, const char* declared, std::uint64_t seed,
                      Found& found) {
  const Inputs inputs = gaussian_inputs(p, seed);
  const HeadScores scores = enclose_scores(p, inputs, 0, 0);
  Numerics numerics = changed(sharpest(), declared);
  numerics.exponent = form;
  numerics.exp2 = kEps;
  numerics.tile_k = kTile;
  const ReplayRules rules = replay_rules(numerics, p);
  const ReplayedRow row = replay_row(rules, scores, 0);
  ASSERT_TRUE(row.known);
  const EmulatedRow own = RowEmulation(p, numerics, seed % 3 == 0, seed).run(inputs);
  double m = -INFINITY;
  for (const ReplayedTile& tile : row.tiles) {
    for (Index j = tile.first; j < tile.end; ++j)
      m = std::max(m, p.scale * scores.dot[scores.at(0, j)]);
    for (Index j = tile.first; j < tile.end; ++j) {
      const auto n = static_cast<std::size_t>(j);
      const ReplayedWeight& weight = row.weights[n];
      const double stored =
          rules.p_wide ? own.p[n]
                       : round_to_format(rules.p_store.format, own.p[n], rules.p_store.rounding);
      ++found.weights;
      found.known += weight.stored.off == 0;
      if (!rules.p_wide) {
        EXPECT_LE(std::fabs(stored - weight.stored.centre), weight.stored.off) << j;
      }
      const double moved = own.p[n] * std::exp(own.frame[n] - m);
      EXPECT_LE(std::fabs(moved - weight.summed.centre), weight.summed.off) << j;
      EXPECT_LE(std::fabs(own.frame[n] - m), tile.frame_off) << j;
    }
  }
}

Problem one_row(Format format) {
  Problem p;
  p.n_k = 37;
  p.d_qk = 16;
  p.in = p.out = format;
  p.scale = 0.7F;
  return p;
}

constexpr Exponent kForms[] = {Exponent::difference_first, Exponent::scaled_max,
                               Exponent::product_first, Exponent::fused};

TEST(ReplayWeights, HoldWhatAKernelComputes) {
  for (const Exponent form : kForms) {
    for (const char* p_format :
         {"p_format=f16", "p_format=bf16", "p_format=bf16;p_truncated=yes", "p_format=f32"}) {
      Found found;
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        expect_sets_hold(one_row(seed % 2 == 0 ? Format::f16 : Format::bf16), form, p_format, seed,
                         found);
      }
      EXPECT_EQ(found.weights, 40 * 37);
      const bool wide = std::string(p_format) == "p_format=f32";
      EXPECT_GE(found.known, wide ? 0 : found.weights * 9 / 10) << p_format;
    }
  }
}

TEST(ReplayWeights, AWeightFarBelowTheMaximumIsZero) {
  Problem p;
  p.n_k = 2;
  Inputs inputs = scored_inputs(p, {0, -2000});
  const ReplayedRow row = replay_row(replay_rules(changed(sharpest(), "p_format=f16"), p),
                                     enclose_scores(p, inputs, 0, 0), 0);
  ASSERT_TRUE(row.known);
  EXPECT_EQ(row.weights[0].stored.centre, 1);
  EXPECT_EQ(row.weights[1].stored.centre, 0);
  EXPECT_EQ(row.weights[1].stored.off, 0);
}

TEST(ReplayWeights, AnUncertainExponentialLeavesTheRow) {
  const Problem p = one_row(Format::f16);
  const HeadScores scores = enclose_scores(p, gaussian_inputs(p, 1), 0, 0);
  EXPECT_FALSE(replay_row(replay_rules(changed(sharpest(), "exp2=0x1p-3"), p), scores, 0).known);
}

TEST(ReplayWeights, BeforePvOneTileIsNeeded) {
  const Problem p = one_row(Format::f16);
  const HeadScores scores = enclose_scores(p, gaussian_inputs(p, 1), 0, 0);
  const auto known = [&](const char* tile) {
    const auto declared =
        changed(sharpest(), std::string("p_format=f16;p_normalised=before;tile_k=") + tile);
    return replay_row(replay_rules(declared, p), scores, 0).known;
  };
  EXPECT_TRUE(known("64"));
  EXPECT_FALSE(known("16"));
}

}  // namespace
}  // namespace attest
