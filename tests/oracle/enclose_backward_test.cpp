// Goal: gradients hold what differences of a forward by balls give, are points where arithmetic is
// exact, and pretend no bounds where there are none.
#include "oracle/enclose_backward.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "oracle/upward.hpp"
#include "tests/oracle/arb_gradients.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::enclose_backward_test {
namespace {

Problem small(Format format) {
  Problem p;
  p.pass = Pass::bwd;
  p.in = p.out = format;
  p.heads_q = 2;
  p.n_q = 3;
  p.n_k = 5;
  p.d_qk = 3;
  p.d_v = 2;
  p.scale = 0.7f;
  p.right = 1;
  p.lse_gradient = true;
  return p;
}

void fill(Tensor& tensor, std::uint32_t id, double factor = 1, std::uint64_t seed = 3) {
  const TensorView view = tensor.view();
  std::uint32_t n = 0;
  for (Index h = 0; h < view.extents[1]; ++h) {
    for (Index row = 0; row < view.extents[2]; ++row) {
      for (Index column = 0; column < view.extents[3]; ++column, ++n) {
        view.set_bits(0, h, row, column,
                      round_to_bits(view.format, factor * gaussian(seed, {id, 0, 0, 0, n})));
      }
    }
  }
}

// Shapes, band and scale at random, within what expect_difference may be asked for.
Problem any_small(std::uint64_t seed) {
  const auto bits = random_bits(seed, {30, 0, 0, 0, 0});
  const auto more = random_bits(seed, {31, 0, 0, 0, 0});
  Problem p = small(Format::f64);
  p.heads_q = 1 + bits[0] % 2;
  p.n_q = 1 + bits[0] / 2 % 4;
  p.n_k = 1 + bits[0] / 8 % 6;
  p.d_qk = 1 + bits[1] % 4;
  p.d_v = 1 + bits[1] / 4 % 2;
  p.scale = 0.25f * static_cast<float>(1 + bits[1] / 8 % 4);
  p.left = more[0] % 3 == 0 ? 1 : kUnlimited;
  p.right = more[0] / 3 % 2 == 0 ? kUnlimited : static_cast<Index>(more[1] % 3) - 1;
  return p;
}

Inputs drawn(const Problem& p, std::uint64_t seed = 3) {
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 20, 1, seed);
  fill(inputs.k, 21, 1, seed);
  fill(inputs.v, 22, 1, seed);
  fill(inputs.dout, 23, 1, seed);
  if (p.lse_gradient) fill(inputs.glse, 24, 1, seed);
  return inputs;
}

// sum O o dO + sum LSE o gL.
Ball loss(const Problem& p, const Inputs& inputs) {
  Ball sum;
  for (Index h = 0; h < p.heads_q; ++h) {
    for (Index i = 0; i < p.n_q; ++i) {
      const ArbRow row = arb_row(p, inputs, 0, h, i);
      if (row.keys.size() == 0) continue;
      for (Index k = 0; k < p.d_v; ++k) {
        const Ball dout(inputs.dout.view().value(0, h, i, k));
        sum += dout * row.o[static_cast<std::size_t>(k)];
      }
      sum += Ball(inputs.glse.view().value(0, h, i, 0)) * row.lse;
    }
  }
  return sum;
}

// Checks one element of a gradient against (loss(h) - loss(-h)) / 2h with h = 2^-200, which a zero
// in binary64 can be changed to. Along an element of q or k, scores move by at most A = scale max
// |k| or scale max |q|. The third derivatives of O and LSE are third cumulants: below 64 A^3 max
// |v| and 8 A^3. So the quotient is off by h^2 / 6 of that times sum |dO| + |gL|; for inputs below
// 8 and fewer than 2^5 numbers in dO and gL that is below h^2 2^40. Along v the loss is linear.
void expect_difference(const Problem& p, Inputs inputs, Tensor Inputs::*input,
                       const GradientAnswer BackwardAnswer::*gradient, Index h, Index row,
                       Index column) {
  const double step = 0x1p-200;
  const double bound = 0x1p-360;
  const TensorView view = (inputs.*input).view();
  view.set_bits(0, h, row, column, 0);
  const BackwardAnswer answer = enclose_backward(p, inputs);
  const BackwardAnswer rounded = enclose_backward_by_weights(p, inputs, answer);
  view.set_bits(0, h, row, column, round_to_bits(p.in, step));
  const Ball up = loss(p, inputs);
  view.set_bits(0, h, row, column, round_to_bits(p.in, -step));
  const Ball quotient = (up - loss(p, inputs)) * Ball(0x1p199);
  const Extents& extents = view.extents;
  const auto e = static_cast<std::size_t>((h * extents[2] + row) * extents[3] + column);
  for (const BackwardAnswer* route : {&answer, &rounded}) {
    // What no pair reaches is a dead 0, and so is its quotient.
    const OutputClass kind = (route->*gradient).classes[e];
    ASSERT_TRUE(kind == OutputClass::finite || kind == OutputClass::dead);
    const Enclosure value = (route->*gradient).values[e];
    EXPECT_TRUE(Ball(value.lo) - Ball(bound) <= quotient);
    EXPECT_TRUE(quotient <= Ball(value.hi) + Ball(bound));
    EXPECT_LE(value.hi - value.lo, 0x1p-40);
  }
}

TEST(EncloseBackward, HoldsTheDifferencesOfTheForward) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Problem p = any_small(seed);
    SCOPED_TRACE(to_string(p));
    const Inputs inputs = drawn(p, seed);
    for (Index row = 0; row < p.n_q; ++row) {
      expect_difference(p, inputs, &Inputs::q, &BackwardAnswer::dq, row % p.heads_q, row,
                        row % p.d_qk);
    }
    for (Index row = 0; row < p.n_k; ++row) {
      expect_difference(p, inputs, &Inputs::k, &BackwardAnswer::dk, 0, row, row % p.d_qk);
      expect_difference(p, inputs, &Inputs::v, &BackwardAnswer::dv, 0, row, row % p.d_v);
    }
  }
}

std::vector<BackwardAnswer> both_routes(const Problem& p, const Inputs& inputs,
                                        const std::optional<StoredForward>& stored) {
  const BackwardAnswer weights = enclose_backward(p, inputs);
  return {enclose_backward(p, inputs, stored),
          enclose_backward_by_weights(p, inputs, weights, stored)};
}

void expect_zeros(const GradientAnswer& gradient) {
  for (const Enclosure& value : gradient.values) EXPECT_EQ(value, (Enclosure{0, 0}));
}

TEST(EncloseBackward, GivesExactZerosWhereNoGradientComesIn) {
  for (std::uint64_t index = 0; index < 16; ++index) {
    DrawnGradients c = draw_gradient_case(index);
    c.inputs.dout = Tensor(c.problem.in, c.problem.o_extents());
    if (c.problem.lse_gradient) c.inputs.glse = Tensor(Format::f32, c.problem.lse_extents());
    for (const bool stage_wise : {false, true}) {
      std::optional<StoredForward> stored;
      if (stage_wise) stored = stored_of(c, index % 2 == 0);
      for (const BackwardAnswer& answer : both_routes(c.problem, c.inputs, stored)) {
        expect_zeros(answer.dq);
        expect_zeros(answer.dk);
        expect_zeros(answer.dv);
      }
    }
  }
}

// One live key: P = 1, dP = D, so that dS = gL, and nothing rounds.
TEST(EncloseBackward, GivesPointsForOneKey) {
  Problem p = small(Format::bf16);
  p.n_k = 1;
  p.right = kUnlimited;
  p.scale = 0.5f;
  const Inputs inputs = drawn(p);
  const BackwardAnswer answer = enclose_backward(p, inputs);
  const double k = inputs.k.view().value(0, 0, 0, 1);
  const double glse = inputs.glse.view().value(0, 1, 2, 0);
  const double dq = 0.5 * glse * k;  // 24 and 8 bits
  EXPECT_EQ(answer.dq.values[static_cast<std::size_t>((1 * 3 + 2) * 3 + 1)], (Enclosure{dq, dq}));
  double dv = 0;
  for (Index h = 0; h < 2; ++h) {
    for (Index i = 0; i < 3; ++i) dv += inputs.dout.view().value(0, h, i, 0);
  }
  EXPECT_EQ(answer.dv.values[0], (Enclosure{dv, dv}));
}

// V constant: all dP are equal, whatever the weights, and dS = gL P alone remains.
TEST(EncloseBackward, GivesExactZerosForConstantV) {
  Problem p = small(Format::f16);
  p.lse_gradient = false;
  Inputs inputs = drawn(p);
  for (Index j = 0; j < p.n_k; ++j) {
    for (Index k = 0; k < p.d_v; ++k) {
      inputs.v.view().set_bits(0, 0, j, k, round_to_bits(p.in, 0.3));
    }
  }
  const BackwardAnswer answer = enclose_backward(p, inputs);
  expect_zeros(answer.dq);
  expect_zeros(answer.dk);
}

const Enclosure kAnything{-kInfinity, kInfinity};

// Scores of 2^1400 that cancel down to 2^-500: more digits than any rung has.
TEST(EncloseBackward, GivesNoBoundsWhereWeightsHaveNone) {
  Problem p = small(Format::f64);
  p.heads_q = 1;
  Inputs inputs = drawn(p);
  const double k[] = {0x1p1000, 0x1p-500, -0x1p1000};
  const double q[] = {0x1p400, 1, 0x1p400};
  for (Index c = 0; c < 3; ++c) {
    inputs.k.view().set_bits(0, 0, 0, c, round_to_bits(p.in, k[c]));
    inputs.q.view().set_bits(0, 0, 1, c, round_to_bits(p.in, q[c]));
  }
  for (const BackwardAnswer& answer : both_routes(p, inputs, std::nullopt)) {
    EXPECT_FALSE(answer.rows[1].sharp);
    EXPECT_EQ(answer.dq.values[3], kAnything);
    EXPECT_EQ(answer.dk.values[0], kAnything);
    EXPECT_EQ(answer.dv.values[0], kAnything);
  }
}

// Row 0 of head 0: exp(s - L) is e^10000 in one case and e^-10^30 in the other.
TEST(EncloseBackward, GivesNoBoundsForAStoredLseFarBelowAndNothingForOneFarAbove) {
  const Problem p = small(Format::f16);
  const Inputs inputs = drawn(p);
  const Tensor o(p.out, p.o_extents());
  Tensor lse(Format::f32, p.lse_extents());
  lse.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f32, -1e4));
  for (const BackwardAnswer& answer : both_routes(p, inputs, StoredForward{o.view(), lse.view()})) {
    EXPECT_FALSE(answer.rows[0].sharp);
    EXPECT_TRUE(answer.rows[1].sharp);
    EXPECT_EQ(answer.dq.values[0], kAnything);
    EXPECT_EQ(answer.dk.values[0], kAnything);
    EXPECT_EQ(answer.dv.values[0], kAnything);
  }
  lse.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f32, 1e30));
  for (const BackwardAnswer& answer : both_routes(p, inputs, StoredForward{o.view(), lse.view()})) {
    EXPECT_TRUE(answer.rows[0].sharp);
    EXPECT_LE(answer.dq.values[0].lo, 0);
    EXPECT_GE(answer.dq.values[0].hi, 0);
    EXPECT_LE(answer.dq.values[0].hi - answer.dq.values[0].lo, 0x1p-700);
  }
}

}  // namespace
}  // namespace attest::enclose_backward_test
