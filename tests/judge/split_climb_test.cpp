// Goal: nobody who merges parts of the keys climbs past the budget. As hill_climb_test.cpp, with
// every choice that a declaration of parts leaves to its kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/judge/dice.hpp"
#include "tests/judge/split_judged.hpp"

namespace attest::split_climb_test {
namespace {

struct Climber {
  Problem p;
  Inputs inputs;
  Numerics declared;
  SplitChoices choices;
  double score_size = 1;
  double offset = 0;  // of all scores
  double v_size = 1;
};

void renew_key(Climber& c, Index j, ClimbDice& dice) {
  set(c.inputs.k, 0, 0, j, 0, dice.one_in(4) ? 0 : dice.real(c.score_size));
  set(c.inputs.k, 0, 0, j, 1, c.offset);
}

void renew_value(Climber& c, Index j, ClimbDice& dice) {
  const double size = dice.one_in(3) ? c.v_size : dice.real(c.v_size);
  set(c.inputs.v, 0, 0, j, 0, dice.one_in(2) ? size : -size);
}

// Scores of any spread about any offset, parts and tiles of any size, and every choice that a
// declaration of parts leaves open.
Climber start(Exponent exponent, Combine combine, ClimbDice& dice) {
  Climber c;
  c.p.d_qk = 2;
  c.p.n_k = dice.between(1, 24);
  c.p.in = dice.any_of({Format::f16, Format::bf16, Format::f32});
  c.p.out = dice.any_of({Format::f32, c.p.in});
  c.p.scale = 1;
  Numerics& n = c.declared = split_into(dice.between(1, 12));
  n.exponent = exponent;
  n.combine = combine;
  n.tile_k = dice.between(1, 8);
  n.split = SplitKeys{dice.any_of({Format::f32, Format::f16, Format::bf16})};
  n.o_format = c.p.out;
  if (dice.one_in(2)) n.p_format = dice.any_of({Format::f16, Format::bf16});
  if (dice.one_in(2)) n.l_from = LFrom::rounded;
  if (dice.one_in(2)) n.divide = Divide::reciprocal;
  n.exp_ftz = dice.one_in(2);
  n.order = TileOrder::any;
  c.choices = {dice.one_in(2), dice.one_in(2), dice.one_in(2), 0};
  c.choices.exp2_ulps = dice.any_of({0, 2, -2});
  if (c.choices.exp2_ulps != 0) n.exp2 = 5 * kU;
  c.score_size = dice.any_of({0.0, 0.5, 4.0, 30.0, 100.0, 1500.0});
  c.offset = dice.any_of({0.0, 0.0, 40.0, -300.0, 2000.0, -30000.0});
  c.v_size = dice.any_of({1.0, 1.0, 1000.0, 60000.0, 0x1p-20});
  if (c.p.in == Format::bf16 && dice.one_in(3)) c.v_size = dice.any_of({0x1p120, 0x1p-126});
  c.inputs = zero_inputs(c.p);
  fill(c.inputs.q, 1);
  for (Index j = 0; j < c.p.n_k; ++j) {
    renew_key(c, j, dice);
    renew_value(c, j, dice);
  }
  return c;
}

void mutate(Climber& c, ClimbDice& dice) {
  for (int n = 0; n == 0 || dice.one_in(3); ++n) {
    const Index j = dice.between(0, c.p.n_k - 1);
    const TensorView v = c.inputs.v.view(), k = c.inputs.k.view();
    switch (dice.below(6)) {
      case 0: renew_key(c, j, dice); break;
      case 1: renew_value(c, j, dice); break;
      case 2: k.set_bits(0, 0, j, 0, k.bits(0, 0, dice.between(0, c.p.n_k - 1), 0)); break;
      case 3: v.set_bits(0, 0, j, 0, v.bits(0, 0, dice.between(0, c.p.n_k - 1), 0)); break;
      case 4: set(c.inputs.k, 0, 0, j, 0, k.value(0, 0, j, 0) * (1 + dice.real(0x1p-6))); break;
      default: set(c.inputs.q, 0, 0, 0, 0, 1 + dice.real(0x1p-4)); break;
    }
  }
}

struct Climb {
  double o = 0;
  double lse = 0;
  Index judged = 0;
  Index unbounded = 0;
  bool holds = true;

  double judge(const Climber& c, bool on_o) {
    const Judgement j = judge_emulated(c.p, c.inputs, c.declared, c.choices);
    o = std::max(o, j.o.worst_ratio);
    lse = std::max(lse, j.lse.worst_ratio);
    judged += j.judged();
    unbounded += j.o.unbounded + j.lse.unbounded;
    holds = j.verdict() == Verdict::accept;
    if (!holds) {
      ADD_FAILURE() << describe(c.p, c.inputs, j) << "\n  " << to_string(c.declared) << "\n  "
                    << c.choices.descending_tiles << c.choices.descending_parts
                    << c.choices.largest_first << ' ' << c.choices.exp2_ulps;
    }
    return on_o ? j.o.worst_ratio : j.lse.worst_ratio;
  }
};

void expect_to_hold(Exponent exponent, Combine combine, const char* name) {
  constexpr int kStarts = 100, kSteps = 100;
  ClimbDice dice(11 + 4 * static_cast<std::uint64_t>(combine) +
                 static_cast<std::uint64_t>(exponent));
  Climb climb;
  for (int n = 0; n < kStarts && climb.holds; ++n) {
    const bool on_o = n % 3 != 0;
    Climber best = start(exponent, combine, dice);
    double height = climb.judge(best, on_o);
    for (int step = 0; step < kSteps && climb.holds; ++step) {
      Climber next = best;
      mutate(next, dice);
      const double reached = climb.judge(next, on_o);
      if (reached < height) continue;
      height = reached;
      best = std::move(next);
    }
  }
  std::cout << name << ": best error / budget O " << climb.o << ", LSE " << climb.lse << "; "
            << climb.unbounded << " of " << climb.judged << " unbounded\n";
  EXPECT_LE(climb.o, 1);
  EXPECT_LE(climb.lse, 1);
  // The climb is alive, and mostly over bounded ground.
  EXPECT_GT(climb.o, 0.5);
  EXPECT_GT(climb.lse, 0.2);
  EXPECT_LT(climb.unbounded, climb.judged / 2);
}

TEST(SplitClimb, HoldsAgainstAClimbOfDividedDifferences) {
  expect_to_hold(Exponent::difference_first, Combine::divide, "difference_first, divide");
}
TEST(SplitClimb, HoldsAgainstAClimbOfDifferencesWeighedByExpLse) {
  expect_to_hold(Exponent::difference_first, Combine::exp_lse, "difference_first, exp_lse");
}
TEST(SplitClimb, HoldsAgainstAClimbOfFusedExponents) {
  expect_to_hold(Exponent::fused, Combine::divide, "fused, divide");
  expect_to_hold(Exponent::product_first, Combine::exp_lse, "product_first, exp_lse");
  expect_to_hold(Exponent::scaled_max, Combine::divide, "scaled_max, divide");
}

}  // namespace
}  // namespace attest::split_climb_test
