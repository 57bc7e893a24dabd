// Goal: what binary64 proves holds the multiprecision answer: enclosures, classes, moments from
// above and from below, on easy and adversarial data, whatever the number of threads.
#include "oracle/enclose_in_binary64.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"
#include "tests/oracle/drawn_cases.hpp"

namespace attest::enclose_in_binary64_test {
namespace {

// Multiprecision's own moments are rounded up.
constexpr double kRounding = 1e-9;
// Where V is all zeros they still hold what multiprecision may have dropped; binary64 says 0
// itself.
constexpr double kUnderflow = 1e-300;

bool holds(const Enclosure& outer, const Enclosure& inner) {
  return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

void expect_at_least(double loose, double sharp, const char* what) {
  EXPECT_GE(loose, sharp * (1 - kRounding) - kUnderflow) << what;
}

void expect_row_bounds(const RowMoments& loose, const RowMoments& sharp) {
  EXPECT_EQ(loose.live_keys, sharp.live_keys);
  EXPECT_EQ(loose.first_live, sharp.first_live);
  EXPECT_EQ(loose.last_live, sharp.last_live);
  EXPECT_EQ(loose.far_keys, sharp.far_keys);
  EXPECT_TRUE(holds(loose.max_score, sharp.max_score));
  EXPECT_TRUE(holds(loose.sum_exp, sharp.sum_exp));
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    expect_at_least(loose.sum_pi[f], sharp.sum_pi[f], "sum_pi");
    expect_at_least(loose.max_near[f], sharp.max_near[f], "max_near");
  }
  expect_at_least(loose.max_live_abs_score, sharp.max_live_abs_score, "max_live_abs_score");
  expect_at_least(loose.max_abs_dot, sharp.max_abs_dot, "max_abs_dot");
  EXPECT_GE(loose.max_products, sharp.max_products);
}

void expect_element_bounds(const ElementMoments& loose, const LeastMoments& least,
                           const ElementMoments& sharp) {
  for (std::size_t f = 0; f < kFactorCount; ++f) {
    expect_at_least(loose.sum_pi_dev[f], sharp.sum_pi_dev[f], "sum_pi_dev");
  }
  expect_at_least(loose.sum_pi_abs_v, sharp.sum_pi_abs_v, "sum_pi_abs_v");
  expect_at_least(loose.sum_pi_floor_v, sharp.sum_pi_floor_v, "sum_pi_floor_v");
  expect_at_least(loose.sum_abs_v, sharp.sum_abs_v, "sum_abs_v");
  expect_at_least(loose.sum_floor_v, sharp.sum_floor_v, "sum_floor_v");
  expect_at_least(loose.sum_dev, sharp.sum_dev, "sum_dev");
  expect_at_least(loose.peak_abs, sharp.peak_abs, "peak_abs");
  EXPECT_LE(least.sum_pi_abs_v, sharp.sum_pi_abs_v);
  EXPECT_LE(least.sum_pi_dev, sharp.sum_pi_dev[kOne]);
}

// Compares the two and returns how many rows binary64 did by itself.
std::size_t compare(const Problem& p, const Inputs& inputs) {
  const Answer sharp = enclose_forward(p, inputs);
  const Answer loose = enclose_in_binary64(p, inputs);
  EXPECT_EQ(loose.o_class, sharp.o_class);
  EXPECT_EQ(loose.lse_class, sharp.lse_class);
  std::size_t own = 0;
  const auto d_v = static_cast<std::size_t>(p.d_v);
  for (std::size_t row = 0; row < loose.rows.size(); ++row) {
    EXPECT_TRUE(holds(loose.lse[row], sharp.lse[row]));
    if (loose.is_loose(row)) expect_row_bounds(loose.rows[row], sharp.rows[row]);
    own += loose.is_loose(row);
    for (std::size_t e = row * d_v; e < (row + 1) * d_v; ++e) {
      EXPECT_TRUE(holds(loose.o[e], sharp.o[e]))
          << loose.o[e].lo << ' ' << sharp.o[e].lo << ' ' << loose.o[e].hi - sharp.o[e].hi;
      if (loose.is_loose(row)) {
        expect_element_bounds(loose.elements[e], loose.least[e], sharp.elements[e]);
      }
    }
  }
  return own;
}

TEST(InBinary64, HoldsTheMultiprecisionAnswerOfDrawnCases) {
  std::size_t own = 0;
  for (std::uint64_t index = 0; index < 1'200 && !::testing::Test::HasFailure(); ++index) {
    const DrawnCase drawn = draw_oracle_case(index);
    SCOPED_TRACE("case " + std::to_string(index));
    own += compare(drawn.problem, drawn.inputs);
  }
  EXPECT_GE(own, 3'000U);
}

Problem head_of(Format format, Index n_q, Index n_k, Index d) {
  Problem p;
  p.in = p.out = format;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = p.d_v = d;
  p.scale = 0.125F;
  return p;
}

// Gaussian values times a factor for each tensor; scores grow with the key where `rising`.
Inputs spread_inputs(const Problem& p, double q_size, double v_size, bool rising) {
  Inputs inputs = zero_inputs(p);
  std::uint32_t tensor = 0;
  for (Tensor* x : {&inputs.q, &inputs.k, &inputs.v}) {
    const TensorView view = x->view();
    const double size = tensor == kTensorQ ? q_size : tensor == kTensorV ? v_size : 1;
    for (std::uint32_t row = 0; row < view.extents[2]; ++row) {
      for (std::uint32_t column = 0; column < view.extents[3]; ++column) {
        double value = size * gaussian(7, {tensor, 0, 0, row, column});
        if (rising && column == 0 && tensor == kTensorQ) value = 8;
        if (rising && column == 0 && tensor == kTensorK) value = row * 0.25;
        view.set_bits(0, 0, row, column, round_to_bits(p.in, value));
      }
    }
    ++tensor;
  }
  return inputs;
}

TEST(InBinary64, HoldsItAcrossTilesAndFrames) {
  for (const Format format : {Format::f16, Format::bf16, Format::f32}) {
    for (const double q_size : {0.0, 1.0, 30.0}) {
      for (const bool rising : {false, true}) {
        Problem p = head_of(format, 5, 700, 24);
        SCOPED_TRACE(std::string(shape_of(format).name) + " q " + std::to_string(q_size));
        const Inputs inputs = spread_inputs(p, q_size, format == Format::bf16 ? 1e30 : 1, rising);
        EXPECT_EQ(compare(p, inputs), 5U);
        p.left = 300;  // the first tile is out of reach for later rows
        p.right = 0;
        EXPECT_EQ(compare(p, inputs), 5U);
      }
    }
  }
}

TEST(InBinary64, IsSharpOnGaussianData) {
  const Problem p = head_of(Format::f16, 8, 512, 64);
  const Inputs inputs = spread_inputs(p, 1, 1, false);
  const Answer sharp = enclose_forward(p, inputs);
  const Answer loose = enclose_in_binary64(p, inputs);
  for (std::size_t e = 0; e < loose.o.size(); ++e) {
    EXPECT_LE(loose.o[e].hi - loose.o[e].lo, 2e-12);
    EXPECT_LE(loose.elements[e].sum_pi_abs_v, 1.001 * sharp.elements[e].sum_pi_abs_v);
    EXPECT_LE(loose.elements[e].sum_pi_dev[kOne], 1.5 * sharp.elements[e].sum_pi_dev[kOne]);
    EXPECT_GE(loose.least[e].sum_pi_abs_v, 0.999 * sharp.elements[e].sum_pi_abs_v);
    EXPECT_GE(loose.least[e].sum_pi_dev, 0.2 * sharp.elements[e].sum_pi_dev[kOne]);
  }
}

TEST(InBinary64, LeavesToMultiprecisionWhatItCannotDo) {
  const Problem p = head_of(Format::f32, 2, 3, 1);
  Inputs inputs = zero_inputs(p);
  const TensorView q = inputs.q.view();
  const TensorView k = inputs.k.view();
  q.set_bits(0, 0, 0, 0, round_to_bits(Format::f32, 1e6));  // gaps of 1e6, beyond binary64's exp
  k.set_bits(0, 0, 0, 0, round_to_bits(Format::f32, 8));
  const Answer answer = enclose_in_binary64(p, inputs);
  EXPECT_FALSE(answer.is_loose(0));
  EXPECT_TRUE(answer.is_loose(1));
  EXPECT_EQ(compare(p, inputs), 1U);
}

TEST(InBinary64, GivesTheSameBitsForAnyNumberOfThreads) {
  Problem p = head_of(Format::bf16, 700, 300, 16);
  p.right = 0;
  const Inputs inputs = spread_inputs(p, 4, 1, false);
  const Answer one = enclose_in_binary64(p, inputs, 1);
  for (const int threads : {2, 3, 9}) {
    const Answer many = enclose_in_binary64(p, inputs, threads);
    EXPECT_EQ(many.o, one.o);
    EXPECT_EQ(many.lse, one.lse);
    EXPECT_EQ(many.bits, one.bits);
    for (std::size_t e = 0; e < one.elements.size(); ++e) {
      ASSERT_EQ(many.elements[e].sum_pi_dev, one.elements[e].sum_pi_dev);
      ASSERT_EQ(many.least[e].sum_pi_abs_v, one.least[e].sum_pi_abs_v);
    }
  }
}

}  // namespace
}  // namespace attest::enclose_in_binary64_test
