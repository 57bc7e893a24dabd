// Goal: what binary64 proves of gradients by blocks holds the multiprecision answer: enclosures,
// classes, and pairs from above and, by their excess, from below; on adversarial data, in both
// views, whatever the number of threads.
#include "oracle/enclose_gradients_in_binary64.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "tests/oracle/binary64_gradients.hpp"

namespace attest::enclose_gradients_in_binary64_test {
namespace {

TEST(GradientsInBinary64, HoldTheMultiprecisionAnswerOfDrawnCases) {
  GradientComparison all;
  std::array<Index, kValueKinds> rows_of_kind{};
  for (std::uint64_t index = 0; index < 192 && !::testing::Test::HasFailure(); ++index) {
    const DrawnGradients drawn = draw_gradient_case(index);
    if (drawn.problem.in == Format::f64) continue;
    SCOPED_TRACE(to_string(drawn.problem) + " case " + std::to_string(index));
    const Index before = all.loose_rows;
    const Answer forward = enclose_in_binary64(drawn.problem, drawn.inputs);
    all.compare(drawn.problem, drawn.inputs, forward, std::nullopt);
    all.compare(drawn.problem, drawn.inputs, forward, stored_of(drawn, index % 2 == 0));
    rows_of_kind[static_cast<std::size_t>(drawn.kind)] += all.loose_rows - before;
  }
  std::printf("%ld elements, %ld loose rows, %ld pairs, width / magnitudes 2^%.1f\n",
              long(all.elements), long(all.loose_rows), long(all.pairs), std::log2(all.widest));
  for (const Index rows : rows_of_kind) EXPECT_GE(rows, 20);
}

Problem head_of(Format format, Index n_q, Index n_k, Index d) {
  Problem p;
  p.pass = Pass::bwd;
  p.in = p.out = format;
  p.n_q = n_q;
  p.n_k = n_k;
  p.d_qk = d;
  p.d_v = d + 3;
  p.scale = 0.125F;
  return p;
}

// Gaussian values times a factor for each tensor; scores grow with the key where `rising`.
Inputs spread_inputs(const Problem& p, double q_size, double v_size, bool rising) {
  Inputs inputs = zero_inputs(p);
  std::uint32_t tensor = 0;
  for (Tensor* x : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
    const TensorView view = x->view();
    const double size = tensor == kTensorQ ? q_size : tensor == kTensorV ? v_size : 1;
    for (std::uint32_t h = 0; h < view.extents[1]; ++h) {
      for (std::uint32_t row = 0; row < view.extents[2]; ++row) {
        for (std::uint32_t column = 0; column < view.extents[3]; ++column) {
          double value = size * gaussian(7, {tensor, 0, h, row, column});
          if (rising && column == 0 && tensor == kTensorQ) value = 8;
          if (rising && column == 0 && tensor == kTensorK) value = row * 0.25;
          view.set_bits(0, h, row, column, round_to_bits(view.format, value));
        }
      }
    }
    ++tensor;
  }
  return inputs;
}

// Rows and keys beyond one block, groups, lengths and windows: what one block must not see of
// another.
TEST(GradientsInBinary64, HoldItAcrossBlocksTilesAndHeads) {
  GradientComparison all;
  for (const Format format : {Format::f16, Format::bf16, Format::f32}) {
    const bool rising = format != Format::f16;
    Problem p = head_of(format, 140, 270, 5);
    p.heads_q = 2;
    p.lse_gradient = rising;
    p.right = rising ? 40 : kUnlimited;
    p.left = rising ? 100 : kUnlimited;
    SCOPED_TRACE(to_string(p));
    const Inputs inputs = spread_inputs(p, 2, format == Format::bf16 ? 1e30 : 1, rising);
    all.compare(p, inputs, enclose_in_binary64(p, inputs), std::nullopt);
  }
  EXPECT_EQ(all.loose_rows, 3 * 280);
}

// The forward's answer is sharper than multiprecision's sums over keys: row 0 has O = 0 from values
// that cancel, row 1 one key with all the weight but e^-60.
TEST(GradientsInBinary64, AreNoSharperThanMultiprecisionBehindASharpForward) {
  Problem p = head_of(Format::f16, 2, 3, 1);
  Inputs inputs = zero_inputs(p);
  const auto set = [](Tensor& tensor, Index row, double x) {
    tensor.view().set_bits(0, 0, row, 0, round_to_bits(Format::f16, x));
  };
  set(inputs.q, 1, 60);
  for (const Index j : {0, 1, 2}) {
    set(inputs.k, j, j == 0 ? 1 : 0);
    set(inputs.v, j, 1.0 - static_cast<double>(j));
  }
  for (const Index i : {0, 1}) set(inputs.dout, i, 1.5);
  GradientComparison all;
  all.compare(p, inputs, enclose_forward(p, inputs, Precision::doubled), std::nullopt);
  EXPECT_EQ(all.loose_rows, 2);
}

TEST(GradientsInBinary64, AreNarrowOnGaussianData) {
  Problem p = head_of(Format::f16, 64, 512, 64);
  const Inputs inputs = spread_inputs(p, 1, 1, false);
  const Answer forward = enclose_in_binary64(p, inputs);
  const BackwardAnswer answer = enclose_gradients_in_binary64(p, inputs, forward);
  for (const GradientAnswer* gradient : {&answer.dq, &answer.dk, &answer.dv}) {
    for (const Enclosure& e : gradient->values) EXPECT_LE(e.hi - e.lo, 1e-10);
  }
  for (const BackwardRow& row : answer.rows) {
    EXPECT_LE(row.excess.relative, 1e-10);
    EXPECT_TRUE(row.pairs.empty());  // nothing of n x n is kept
  }
}

TEST(GradientsInBinary64, LeaveToMultiprecisionWhatTheyCannotDo) {
  Problem p = head_of(Format::f32, 2, 3, 1);
  Inputs inputs = spread_inputs(p, 1, 1, false);
  const TensorView q = inputs.q.view();
  q.set_bits(0, 0, 0, 0, round_to_bits(Format::f32, 1e25));
  const Answer forward = enclose_in_binary64(p, inputs);
  const BackwardAnswer answer = enclose_gradients_in_binary64(p, inputs, forward);
  for (const BackwardRow& row : answer.rows) EXPECT_FALSE(row.loose);
  EXPECT_EQ(answer.rows[1].pairs.size(), 3U);
  GradientComparison all;
  all.compare(p, inputs, forward, std::nullopt);
  EXPECT_EQ(all.loose_rows, 0);
}

TEST(GradientsInBinary64, GiveTheSameBitsForAnyNumberOfThreads) {
  Problem p = head_of(Format::bf16, 700, 600, 16);
  p.heads_q = 2;
  p.right = 0;
  const Inputs inputs = spread_inputs(p, 4, 1, false);
  const Answer forward = enclose_in_binary64(p, inputs);
  const BackwardAnswer one = enclose_gradients_in_binary64(p, inputs, forward);
  for (const int threads : {2, 3, 9}) {
    const BackwardAnswer many =
        enclose_gradients_in_binary64(p, inputs, forward, std::nullopt, threads);
    EXPECT_EQ(many.dq.values, one.dq.values);
    EXPECT_EQ(many.dk.values, one.dk.values);
    EXPECT_EQ(many.dv.values, one.dv.values);
    for (std::size_t row = 0; row < one.rows.size(); ++row) {
      ASSERT_EQ(many.rows[row].mean_key, one.rows[row].mean_key);
    }
  }
}

// No gradient comes in, so none leaves, whatever the weights are.
TEST(GradientsInBinary64, GiveExactZerosWhereNothingComesIn) {
  Problem p = head_of(Format::f16, 3, 5, 4);
  Inputs inputs = spread_inputs(p, 1, 1, false);
  inputs.dout = Tensor(p.in, p.o_extents());
  const BackwardAnswer answer =
      enclose_gradients_in_binary64(p, inputs, enclose_in_binary64(p, inputs));
  for (const GradientAnswer* gradient : {&answer.dq, &answer.dk, &answer.dv}) {
    for (const Enclosure& e : gradient->values) EXPECT_EQ(e, Enclosure{});
  }
  EXPECT_EQ(answer.rows[0].pair_count(), 5);
}

}  // namespace
}  // namespace attest::enclose_gradients_in_binary64_test
