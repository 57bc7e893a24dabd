// Goal: a kernel's own weights, computed in binary32 with errors up to those that it declares, lie
// in the sets that the replay gives them, whatever the form of the exponent; and most sets of
// 16-bit weights have one member.
#include "judge/replay_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "judge/unit_dots.hpp"
#include "judge/widened_rows.hpp"
#include "oracle/enclose_scores.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/judge/replay_emulation.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::replay_weights_test {
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
  const ReplayedWeights row = replay_row(rules, scores, 0);
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

// Scores of 700 and more, whose products and shifts round by more than exp2 errs.
Inputs with_offset(const Problem& p, std::uint64_t seed) {
  Inputs inputs = gaussian_inputs(p, seed);
  const std::uint64_t large = round_to_bits(p.in, 32);
  inputs.q.view().set_bits(0, 0, 0, 0, large);
  for (Index j = 0; j < p.n_k; ++j) inputs.k.view().set_bits(0, 0, j, 0, large);
  return inputs;
}

TEST(ReplayWeights, OfKnownScoresLeaveTheExponentialOpenAlone) {
  const Problem p = one_row(Format::bf16);
  for (const Exponent form : kForms) {
    Numerics numerics = changed(sharpest(), "p_format=bf16;unit=fp32-seq;dot_order=ascending");
    numerics.exponent = form;
    numerics.exp2 = kEps;
    numerics.tile_k = kTile;
    const ReplayRules rules = replay_rules(numerics, p);
    ASSERT_TRUE(rules.arguments);
    Index known = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Inputs inputs = with_offset(p, seed);
      const UnitDots unit(Unit::fp32_seq, p.in, widened_rows(inputs.k.view(), 0, 0, 0, p.n_k),
                          p.d_qk);
      const std::vector<double> scores =
          unit.of(widened_rows(inputs.q.view(), 0, 0, 0, 1), 0, p.n_k);
      const ReplayedWeights row = replay_row(rules, enclose_scores(p, inputs, 0, 0), 0, scores);
      ASSERT_TRUE(row.known);
      const EmulatedRow own = RowEmulation(p, numerics, seed % 3 == 0, seed).run(inputs);
      for (std::size_t n = 0; n < own.p.size(); ++n) {
        const ReplayedWeight& weight = row.weights[n];
        EXPECT_LE(std::fabs(own.p[n] - weight.summed.centre), weight.summed.off);
        EXPECT_LE(weight.summed.off, 1.001 * kEps * weight.summed.centre + 0x1p-140);
        const double stored = round_to_format(Format::bf16, own.p[n]);
        EXPECT_LE(std::fabs(stored - weight.stored.centre), weight.stored.off);
        known += weight.stored.off == 0;
      }
      for (const ReplayedTile& tile : row.tiles) EXPECT_EQ(tile.frame_off, 0);
    }
    EXPECT_GE(known, 20 * p.n_k * 99 / 100);
  }
}

TEST(ReplayWeights, AWeightFarBelowTheMaximumIsZero) {
  Problem p;
  p.n_k = 2;
  Inputs inputs = scored_inputs(p, {0, -2000});
  const ReplayedWeights row = replay_row(replay_rules(changed(sharpest(), "p_format=f16"), p),
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
}  // namespace attest::replay_weights_test
