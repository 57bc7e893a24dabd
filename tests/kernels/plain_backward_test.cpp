// Goal: the healthy kernel's gradients are those of the definition on every shape, band, length,
// group and choice of arithmetic it claims, and exact where nothing has to be rounded. Their
// precise error is the judge's matter.
#include <gtest/gtest.h>

#include "kernels/canaries/plain.hpp"
#include "tests/kernels/pairwise_gradients.hpp"
#include "tests/kernels/random_problem.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::plain_backward_test {
namespace {

double unit_of(const PlainConfig& config, const Problem& p) {
  double u = unit_roundoff(p_format_of(config, p)) + unit_roundoff(ds_format_of(config, p));
  if (config.head_gradient) u += unit_roundoff(*config.head_gradient);
  return 2 * (u + unit_roundoff(p.out)) + 1e-5;
}

// P, dS, O and the gradient each lose a rounding of their format; binary32 adds little to that on
// the moderate scores of these tests. Below a format's normal range a rounding loses half a place
// absolutely: of P, dS or what is stored, against dO, Q or K of at most 8.
void expect_near(const Tensor& observed, const PairwiseTensor& exact, double u, double places,
                 const std::string& what) {
  for_each(observed.extents(), [&](Index b, Index h, Index row, Index column) {
    const std::size_t n = exact.at(b, h, row, column);
    const double error = std::fabs(observed.view().value(b, h, row, column) - exact.value[n]);
    EXPECT_LE(error, u * exact.scale_of[n] + places * 0x1p-24)
        << what << " [" << b << " " << h << " " << row << " " << column << "]";
    EXPECT_TRUE(exact.scale_of[n] > 0 || observed.view().bits(b, h, row, column) == 0) << what;
  });
}

void expect_near_definition(const Problem& p, std::uint64_t seed, const PlainConfig& config = {}) {
  ASSERT_EQ(defect_of(p), "");
  const Inputs inputs = gaussian_inputs(p, seed);
  const GradientTensors observed = run_backward(*make_plain("plain", config), p, inputs);
  const PairwiseGradients exact = pairwise_gradients(p, inputs);
  const double u = unit_of(config, p);
  const double rows = static_cast<double>(p.n_q * (p.heads_q / p.heads_k) + 1);
  expect_near(observed.dq, exact.dq, u, 8 * static_cast<double>(p.n_k + 1), "dq " + to_string(p));
  expect_near(observed.dk, exact.dk, u, 8 * rows, "dk " + to_string(p));
  expect_near(observed.dv, exact.dv, u, 8 * rows, "dv " + to_string(p));
}

PlainConfig random_config(std::uint64_t seed) {
  PlainConfig config;
  config.tile_k = pick(seed, 13, {1, 4, 16, 64});
  config.exponent = static_cast<Exponent>(pick(seed, 14, {0, 1, 2, 3}));
  config.d_source = static_cast<DSource>(pick(seed, 20, {0, 1, 2}));
  config.p_in_ds = static_cast<PInDs>(pick(seed, 21, {0, 1}));
  config.dq_sum = static_cast<DqSum::Kind>(pick(seed, 22, {0, 1}));
  config.tile_q = pick(seed, 23, {1, 3, 16});
  if (pick(seed, 24, {0, 1}) == 1) config.head_gradient = pick_format(seed, 25);
  if (pick(seed, 26, {0, 1}) == 1) config.p_format = config.ds_format = Format::f32;
  if (pick(seed, 27, {0, 1}) == 1) config.part_k = 2 * config.tile_k;
  return config;
}

TEST(PlainBackward, MatchesTheDefinitionOnRandomShapes) {
  Index without_rows = 0;  // keys that no row sees
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Problem p = random_problem(seed);
    p.pass = Pass::bwd;
    p.lse_gradient = pick(seed, 28, {0, 1}) == 1;
    expect_near_definition(p, seed, random_config(seed));
    for (Index j = 0; j < p.n_k; ++j) {
      bool seen = false;
      for (Index i = 0; i < p.n_q; ++i) seen = seen || pair_is_live(p, 0, i, j);
      without_rows += seen ? 0 : 1;
    }
  }
  EXPECT_GT(without_rows, 1000);
}

// One query head, one row, d = 1, q = 1, scale = 1/2, keys of equal score: P = 1/n_k exactly.
Problem even_problem(Index n_k) {
  Problem p = scored_problem(n_k, Format::f32);
  p.pass = Pass::bwd;
  p.scale = 0.5f;
  return p;
}

TEST(PlainBackward, IsExactWhereEveryStepIs) {
  // LSE = log 1 = 0 and P = 1; with d = 2 columns of V: dP = 2*3 - 5 = 1, and D from O = V
  // likewise.
  Problem p = even_problem(1);
  p.d_v = 2;
  p.lse_gradient = true;
  Inputs inputs = zero_inputs(p);
  set(inputs.k, 0, 0, 0, 0, 7);
  set(inputs.v, 0, 0, 0, 0, 3);
  set(inputs.v, 0, 0, 0, 1, -1);
  set(inputs.dout, 0, 0, 0, 0, 2);
  set(inputs.dout, 0, 0, 0, 1, 5);
  set(inputs.glse, 0, 0, 0, 0, 4);
  for (const PlainForm& form : plain_forms()) {
    const GradientTensors g = run_backward(*make_plain("plain", form.config), p, inputs);
    EXPECT_EQ(g.dq.view().value(0, 0, 0, 0), 0.5 * 4 * 7) << form.name;  // dS = gL
    EXPECT_EQ(g.dk.view().value(0, 0, 0, 0), 0) << form.name;            // q = 0
    EXPECT_EQ(g.dv.view().value(0, 0, 0, 0), 2) << form.name;
    EXPECT_EQ(g.dv.view().value(0, 0, 0, 1), 5) << form.name;
  }
}

// The backward takes what stands in LSE. With LSE = 0 and scores of 0 each P is 1, whatever n_k;
// with O = 0, D is -gL; all sums are of small integers. Scores are 0 because either Q or K is.
struct StoredZeros {
  Problem p;
  Inputs inputs;
  Result forward;
};

StoredZeros integers(Tensor Inputs::*scoring) {
  StoredZeros s;
  s.p.heads_q = 4;
  s.p.heads_k = 2;
  s.p.n_q = 19;
  s.p.n_k = 37;
  s.p.d_qk = 3;
  s.p.d_v = 2;
  s.p.scale = 0.25f;
  s.p.in = Format::bf16;
  s.p.out = Format::f32;
  s.p.left = 20;
  s.p.right = 2;
  s.p.pass = Pass::bwd;
  s.p.lse_gradient = true;
  s.inputs = zero_inputs(s.p);
  const auto small = [](Index h, Index row, Index column) {
    return static_cast<double>((7 * h + 5 * row + 3 * column) % 5 - 2);
  };
  for (Tensor* tensor : {&(s.inputs.*scoring), &s.inputs.v, &s.inputs.dout, &s.inputs.glse}) {
    for_each(tensor->extents(), [&](Index b, Index h, Index row, Index column) {
      set(*tensor, b, h, row, column, small(h, row, column));
    });
  }
  s.forward = {Tensor(s.p.out, s.p.o_extents()), Tensor(Format::f32, s.p.lse_extents())};
  return s;
}

// By the definition with P = 1 and D = -gL.
PairwiseGradients sums_of(const StoredZeros& s) {
  PairwiseGradients sums{PairwiseTensor(s.p.q_extents()), PairwiseTensor(s.p.k_extents()),
                         PairwiseTensor(s.p.v_extents())};
  PairwiseRow row;
  row.o.assign(2, 0.0);
  row.lse = 0;
  for_each(s.p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    for (Index j = 0; j < s.p.n_k; ++j) {
      if (pair_is_live(s.p, b, i, j)) add_pair(s.p, s.inputs, row, b, h, i, j, sums);
    }
  });
  return sums;
}

void expect_equal(const Tensor& observed, const PairwiseTensor& exact) {
  for_each(observed.extents(), [&](Index b, Index h, Index row, Index column) {
    EXPECT_EQ(observed.view().value(b, h, row, column), exact.value[exact.at(b, h, row, column)]);
  });
}

TEST(PlainBackward, AddsUpExactlyOverRowsTilesAndTheHeadsOfAGroup) {
  for (Tensor Inputs::*scoring : {&Inputs::q, &Inputs::k}) {
    const StoredZeros s = integers(scoring);
    const PairwiseGradients exact = sums_of(s);
    for (const PlainForm& form : plain_forms()) {
      if (form.config.d_source != DSource::stored_o) continue;  // the others' D is not -gL
      const auto kernel = make_plain("plain", form.config);
      const GradientTensors g = run_backward(*kernel, s.p, s.inputs, s.forward);
      expect_equal(g.dq, exact.dq);
      expect_equal(g.dk, exact.dk);
      expect_equal(g.dv, exact.dv);
    }
  }
}

TEST(PlainBackward, WithoutGradientOfOReturnsTheMeanKeyTimesThatOfLse) {
  // dS_ij = pi_ij gL_i, so dQ_i = scale gL_i sum_j pi_ij k_j; four equal scores, pi = 1/4.
  Problem p = even_problem(4);
  p.lse_gradient = true;
  Inputs inputs = zero_inputs(p);
  for (Index j = 0; j < 4; ++j) set(inputs.k, 0, 0, j, 0, static_cast<double>(j));
  set(inputs.glse, 0, 0, 0, 0, 3);
  const GradientTensors g = run_backward(*make_plain("plain"), p, inputs);
  // log 4 and log2(e) each carry half an ulp into P.
  EXPECT_NEAR(g.dq.view().value(0, 0, 0, 0), 0.5 * 3 * 1.5, 2.25 * 4 * 0x1p-24 * 1.5);
  for (Index j = 0; j < 4; ++j) EXPECT_EQ(g.dv.view().value(0, 0, j, 0), 0);
}

TEST(PlainBackward, ReturnsZerosForZeroGradients) {
  Problem p = random_problem(3);
  p.pass = Pass::bwd;
  p.n_q = 19;
  p.n_k = 53;
  p.lq.clear();
  p.lk.clear();
  Inputs inputs = gaussian_inputs(p, 3);
  fill(inputs.dout, 0);
  for (const PlainForm& form : plain_forms()) {
    const GradientTensors g = run_backward(*make_plain("plain", form.config), p, inputs);
    for (const Tensor* tensor : {&g.dq, &g.dk, &g.dv}) {
      for (const std::byte byte : tensor->bytes()) EXPECT_EQ(byte, std::byte{0}) << form.name;
    }
  }
}

}  // namespace
}  // namespace attest::plain_backward_test
