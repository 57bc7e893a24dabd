// Goal: a kernel's own weights, computed in binary32 with errors up to those that it declares, lie
// in the sets that the replay gives them, whatever the form of the exponent; and most sets of
// 16-bit weights have one member.
#include "judge/replay_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "oracle/enclose_scores.hpp"
#include "tests/judge/declarations.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {
namespace {

constexpr double kEps = 0x1p-22;  // of exp2
constexpr Index kTile = 8;

// One row of a kernel, in binary32.
struct OwnWeights {
  std::vector<float> p;       // per key, in the frame of its tile
  std::vector<double> frame;  // per key: that frame's maximum, scaled, exactly
};

class Emulation {
 public:
  Emulation(const Problem& p, Exponent form, std::uint64_t seed)
      : form_(form),
        scale_(p.scale),
        c_(static_cast<float>(double{p.scale} * std::numbers::log2e)),
        engine_(seed) {}

  OwnWeights run(const Inputs& inputs, Index n_k, Index d) {
    OwnWeights own;
    float m = -INFINITY;
    for (Index first = 0; first < n_k; first += kTile) {
      std::vector<float> x;
      for (Index j = first; j < std::min(n_k, first + kTile); ++j) {
        float dot = 0;
        for (Index c = 0; c < d; ++c) {
          dot = std::fma(static_cast<float>(inputs.q.view().value(0, 0, 0, c)),
                         static_cast<float>(inputs.k.view().value(0, 0, j, c)), dot);
        }
        x.push_back(form_ == Exponent::scaled_max ? dot * c_ : dot);
        m = std::max(m, x.back());
      }
      for (const float score : x) {
        const double off = kEps * std::uniform_real_distribution<double>(-0.98, 0.98)(engine_);
        own.p.push_back(static_cast<float>(std::exp2(exponent(score, m)) * (1 + off)));
        own.frame.push_back(scaled(m));
      }
    }
    return own;
  }

 private:
  [[nodiscard]] double exponent(float x, float m) const {
    switch (form_) {
      case Exponent::difference_first: return (x - m) * c_;
      case Exponent::scaled_max: return x - m;
      case Exponent::product_first: return x * c_ - m * c_;
      case Exponent::fused: return std::fma(x, c_, -(m * c_));
    }
    return NAN;
  }
  // Without c's own error, which acts on distances only.
  [[nodiscard]] double scaled(float m) const {
    return form_ == Exponent::scaled_max ? double{m} / c_ * double{scale_} : double{m} * scale_;
  }

  Exponent form_;
  float scale_;
  float c_;
  std::mt19937_64 engine_;
};

struct Found {
  Index weights = 0;
  Index known = 0;
};

void expect_sets_hold(const Problem& p, Exponent form, const char* declared, std::uint64_t seed,
                      Found& found) {
  Inputs inputs = gaussian_inputs(p, seed);
  const HeadScores scores = enclose_scores(p, inputs, 0, 0);
  Numerics numerics = changed(sharpest(), declared);
  numerics.exponent = form;
  numerics.exp2 = kEps;
  numerics.tile_k = kTile;
  const ReplayRules rules = replay_rules(numerics, p);
  const ReplayedRow row = replay_row(rules, scores, 0);
  ASSERT_TRUE(row.known);
  const OwnWeights own = Emulation(p, form, seed).run(inputs, p.n_k, p.d_qk);
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
