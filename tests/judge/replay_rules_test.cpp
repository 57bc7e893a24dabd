// Goal: nothing is replayed of which a step is open, and each form of the exponent has the
// roundings that it makes.
#include "judge/replay_rules.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/judge/declarations.hpp"

namespace attest::replay_rules_test {
namespace {

TEST(ReplayRules, EveryStepHasToBeDeclared) {
  EXPECT_EQ(obstacle_to_replay(sharpest()), "");
  for (const char* key : {"unit", "scale_at", "c", "s_store", "exponent", "exp2", "exp_ftz",
                          "p_format", "p_truncated", "p_normalised", "l_from", "l_chain", "tile_k",
                          "order", "divide", "o_format", "o_rounding", "ftz", "o_ftz"}) {
    EXPECT_EQ(obstacle_to_replay(changed(sharpest(), std::string(key) + "=unknown")), key);
  }
  EXPECT_EQ(obstacle_to_replay(Numerics{}), "unit");
}

TEST(ReplayRules, SomeSchedulesHaveNoReplay) {
  EXPECT_EQ(obstacle_to_replay(changed(sharpest(), "scale_at=q:f16")), "scale_at");
  EXPECT_EQ(obstacle_to_replay(changed(sharpest(), "order=any")), "order");
  EXPECT_EQ(obstacle_to_replay(changed(sharpest(), "split=normalised:f32")), "split");
  EXPECT_EQ(obstacle_to_replay(changed(sharpest(), "split=none")), "");
  EXPECT_EQ(obstacle_to_replay(changed(sharpest(), "p_format=f64")), "p_format");
}

TEST(ReplayRules, CountTheRoundingsOfEachForm) {
  const auto rules_of = [](const char* form) {
    return replay_rules(changed(sharpest(), std::string("exponent=") + form), Problem{});
  };
  const double nearly = 1 + 1e-6;
  const auto expect_between = [&](double value, double least) {
    EXPECT_GE(value, least);
    EXPECT_LE(value, least * nearly);
  };
  const ReplayRules difference = rules_of("difference_first");
  expect_between(difference.per_gap, 3 * kU);  // two roundings, and that of c
  expect_between(difference.per_rise, 3 * kU);
  EXPECT_EQ(difference.per_score, 0);
  EXPECT_EQ(difference.per_shift, 0);
  const ReplayRules scaled = rules_of("scaled_max");
  expect_between(scaled.per_gap, 2 * kU);
  expect_between(scaled.per_rise, 2 * kU);
  EXPECT_TRUE(scaled.maximum_rounds);
  const ReplayRules product = rules_of("product_first");
  expect_between(product.per_gap, 2 * kU);
  expect_between(product.per_score, kU);
  expect_between(product.per_shift, kU);
  const ReplayRules fused = rules_of("fused");
  expect_between(fused.per_shift, kU);
  EXPECT_EQ(fused.per_score, 0);
  expect_between(fused.per_rise, 3 * kU);
}

TEST(ReplayRules, TakeStoresAsDeclared) {
  const ReplayRules rules = replay_rules(
      changed(sharpest(), "p_format=bf16;p_truncated=yes;o_format=f16;o_ftz=yes;s_store=f16"), {});
  EXPECT_EQ(rules.p_store.format, Format::bf16);
  EXPECT_EQ(rules.p_store.rounding, Rounding::toward_zero);
  EXPECT_FALSE(rules.p_wide);
  EXPECT_EQ(rules.o_store.format, Format::f16);
  EXPECT_EQ(rules.o_store.rounding, Rounding::nearest_even);
  EXPECT_TRUE(rules.o_store.flushed);
  EXPECT_EQ(rules.score_relative, unit_roundoff(Format::f16));
  EXPECT_TRUE(replay_rules(sharpest(), {}).p_wide);
}

}  // namespace
}  // namespace attest::replay_rules_test
