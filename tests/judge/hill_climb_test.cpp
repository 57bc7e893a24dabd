// Goal: nobody climbs past the budget. Inputs are changed step by step to raise error / budget of
// the healthy kernel, from starts at every extreme of its formats; a ratio above 1, or a class that
// no rule explains, is a hole in the error analysis.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>

#include "tests/judge/dice.hpp"
#include "tests/judge/judged.hpp"

namespace attest::hill_climb_test {
namespace {

struct Climber {
  Problem p;
  PlainConfig config;
  Inputs inputs;
  int exponent;    // of new values of q and k, about
  int v_exponent;  // likewise of v
};

// Mostly around the climber's magnitude; sometimes an extreme, or anything at all.
std::uint64_t new_bits(Format format, int exponent, ClimbDice& dice) {
  const double sign = dice.one_in(2) ? -1 : 1;
  const double largest = largest_finite(format);
  switch (dice.below(12)) {
    case 0: return finite_bits(format, dice);
    case 1: return round_to_bits(format, 0);
    case 2: return round_to_bits(format, sign * std::ldexp(1.0, exponent));
    case 3:
      return round_to_bits(format,
                           sign * dice.any_of({largest, largest / 2, 1.0, smallest_normal(format),
                                               smallest_subnormal(format)}));
    default: break;
  }
  const double x = std::ldexp(static_cast<double>(dice.below(1 << 24)), exponent - 24);
  return round_to_bits(format, sign * std::min(x, largest));
}

void renew(Tensor& tensor, int exponent, ClimbDice& dice) {
  renew(tensor, dice, [&] { return new_bits(tensor.format(), exponent, dice); });
}

Climber start(Exponent exponent, LFrom l_from, ClimbDice& dice) {
  Climber c;
  c.config.exponent = exponent;
  c.config.l_from = l_from;
  c.config.tile_k = dice.any_of<Index>({1, 2, 7, 16});
  c.config.exp_ftz = dice.one_in(2);
  c.config.last_tile_first = dice.one_in(4);
  if (dice.one_in(3)) c.config.lag = dice.any_of({1.0, 8.0, kMostLag});
  c.p.in = dice.any_of({Format::f32, Format::f16, Format::bf16});
  c.p.out = dice.any_of({Format::f32, Format::f16, Format::bf16});
  if (dice.one_in(2)) c.config.p_format = dice.any_of({Format::f32, Format::f16, Format::bf16});
  c.p.n_k = dice.between(1, 20);
  c.p.d_qk = dice.between(1, 4);
  // Scores of some size from products of any size: scale q k is about 2^-3 to 2^14.
  const int emax = shape_of(c.p.in).emax;
  c.exponent = dice.one_in(2) ? static_cast<int>(dice.between(-3, 3))
                              : static_cast<int>(dice.between(-emax - 8, emax - 2));
  const auto aim = static_cast<int>(dice.between(-3, 14));
  const int power = std::clamp(aim - 2 * c.exponent, -127, 127);
  c.p.scale = std::ldexp(1 + static_cast<float>(dice.below(1024)) / 1024, power);
  c.inputs = zero_inputs(c.p);
  renew(c.inputs.q, c.exponent, dice);
  renew(c.inputs.k, c.exponent, dice);
  c.v_exponent = dice.one_in(2) ? 0 : static_cast<int>(dice.between(-emax - 8, emax));
  renew(c.inputs.v, c.v_exponent, dice);
  return c;
}

// One element changed: anew, to a neighbour, in sign, or to another element's value.
void change(Tensor& tensor, int exponent, ClimbDice& dice) {
  const Extents& e = tensor.extents();
  const Index row = dice.between(0, e[2] - 1);
  const Index column = dice.between(0, e[3] - 1);
  const TensorView view = tensor.view();
  const std::uint64_t old = view.bits(0, 0, row, column);
  std::uint64_t bits = old;
  switch (dice.below(6)) {
    case 0:
    case 1: bits = new_bits(tensor.format(), exponent, dice); break;
    case 2: bits = old ^ std::uint64_t{1} << dice.below(8); break;
    case 3: bits = old ^ std::uint64_t{1} << (shape_of(tensor.format()).bits - 1); break;
    case 4: bits = view.bits(0, 0, dice.between(0, e[2] - 1), dice.between(0, e[3] - 1)); break;
    default: bits = old + (dice.one_in(2) ? 1 : ~std::uint64_t{0}); break;
  }
  bits &= (std::uint64_t{1} << shape_of(tensor.format()).bits) - 1;
  const ValueClass c = classify(tensor.format(), bits);
  if (c != ValueClass::nan && c != ValueClass::infinite) view.set_bits(0, 0, row, column, bits);
}

void mutate(Climber& c, ClimbDice& dice) {
  for (int n = 0; n == 0 || dice.one_in(3); ++n) {
    switch (dice.below(8)) {
      case 0: change(c.inputs.q, c.exponent, dice); break;
      case 1:
      case 2:
      case 3: change(c.inputs.k, c.exponent, dice); break;
      case 4: c.p.scale = std::nextafter(c.p.scale, dice.one_in(2) ? 0.0f : 3e38f); break;
      default: change(c.inputs.v, c.v_exponent, dice); break;
    }
  }
  if (!(c.p.scale > 0)) c.p.scale = 1;
}

struct Ratios {
  double o = 0;
  double lse = 0;
  Index judged = 0;
  Index unbounded = 0;

  void gather(const Judgement& j) {
    o = std::max(o, j.o.worst_ratio);
    lse = std::max(lse, j.lse.worst_ratio);
    judged += j.judged();
    unbounded += j.o.unbounded + j.lse.unbounded;
  }
};

// Judges one climber; false when it is not accepted.
bool climb_to(const Climber& c, bool on_o, double& height, Ratios& ratios) {
  const Judgement j = judge_plain(c.p, c.inputs, c.config).judgement;
  ratios.gather(j);
  height = on_o ? j.o.worst_ratio : j.lse.worst_ratio;
  if (j.verdict() == Verdict::accept) return true;
  ADD_FAILURE() << describe(c.p, c.inputs, j) << "\n  " << to_string(numerics_of(c.config, c.p));
  return false;
}

Ratios climb(Exponent exponent, LFrom l_from, std::uint64_t seed, int starts, int steps) {
  ClimbDice dice(seed);
  Ratios ratios;
  for (int n = 0; n < starts; ++n) {
    const bool on_o = n % 2 == 0;
    Climber best = start(exponent, l_from, dice);
    double height = 0;
    if (!climb_to(best, on_o, height, ratios)) return ratios;
    for (int step = 0; step < steps; ++step) {
      Climber next = best;
      mutate(next, dice);
      double reached = 0;
      if (!climb_to(next, on_o, reached, ratios)) return ratios;
      if (reached < height) continue;
      height = reached;
      best = std::move(next);
    }
  }
  return ratios;
}

void expect_to_hold(Exponent exponent, LFrom l_from, const char* name) {
  const Ratios ratios = climb(exponent, l_from, 1 + static_cast<std::uint64_t>(exponent), 400, 200);
  std::cout << name << ": best error / budget O " << ratios.o << ", LSE " << ratios.lse << "; "
            << ratios.unbounded << " of " << ratios.judged << " unbounded\n";
  EXPECT_LE(ratios.o, 1);
  EXPECT_LE(ratios.lse, 1);
  // The climb is alive: it comes near, and mostly over bounded ground.
  EXPECT_GT(ratios.o, 0.6);
  EXPECT_GT(ratios.lse, 0.3);
  EXPECT_LT(ratios.unbounded, ratios.judged / 2);
}

TEST(HillClimb, HoldsForDifferenceFirst) {
  expect_to_hold(Exponent::difference_first, LFrom::unrounded, "difference_first");
}
TEST(HillClimb, HoldsForScaledMax) {
  expect_to_hold(Exponent::scaled_max, LFrom::unrounded, "scaled_max");
}
TEST(HillClimb, HoldsForProductFirst) {
  expect_to_hold(Exponent::product_first, LFrom::unrounded, "product_first");
}
TEST(HillClimb, HoldsForFused) { expect_to_hold(Exponent::fused, LFrom::unrounded, "fused"); }
TEST(HillClimb, HoldsForARowSumOfRoundedWeights) {
  expect_to_hold(Exponent::difference_first, LFrom::rounded, "difference_first, rounded l");
}

}  // namespace
}  // namespace attest::hill_climb_test
