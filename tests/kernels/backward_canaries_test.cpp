// Goal: as canary_backward_test.cpp, of the canaries that are listed in backward_canaries.cpp.
#include <cmath>

#include "tests/kernels/canary_runs.hpp"

namespace attest::backward_canaries_test {
namespace {

double dq_of(const GradientTensors& g, Index b, Index i) { return g.dq.view().value(b, 0, i, 0); }

Problem of_keys(Index n_q, Index n_k) {
  Problem p = scored_problem(n_k);
  p.n_q = n_q;
  p.pass = Pass::bwd;
  return p;
}

TEST(M06UnwrittenTail, LeavesAKeyBeyondTheLengthAlone) {
  Problem p = of_keys(1, 1);
  p.lk = {0};
  const Both g = run_both("canary/m06-unwritten-tail", p, gaussian_inputs(p, 40));
  EXPECT_TRUE(std::isnan(g.faulty.dk.view().value(0, 0, 0, 0)));
  EXPECT_EQ(g.healthy.dk.view().value(0, 0, 0, 0), 0);
  const Problem full = three_tiles(Pass::bwd);
  expect_harmless("canary/m06-unwritten-tail", full, gaussian_inputs(full, 40));
}

TEST(M06LeftoverScratch, AddsTheLastRowsShare) {
  const Problem p = of_keys(2, 2);
  const Both g = run_both("canary/m06-leftover-scratch", p, gaussian_inputs(p, 41));
  EXPECT_EQ(dq_of(g.faulty, 0, 0), dq_of(g.healthy, 0, 0));
  EXPECT_NE(dq_of(g.faulty, 0, 1), dq_of(g.healthy, 0, 1));
  EXPECT_EQ(g.faulty.dk, g.healthy.dk);
  const Problem one = of_keys(1, 2);
  expect_harmless("canary/m06-leftover-scratch", one, gaussian_inputs(one, 41));
}

TEST(M16WideTail, LeavesOutTheLastColumnOfWideHeadsAlone) {
  Problem p = of_keys(1, 2);
  p.d_v = 65;
  Inputs inputs = zero_inputs(p);
  set(inputs.dout, 0, 0, 0, 64, 1);
  set(inputs.v, 0, 0, 1, 64, 1);
  set(inputs.k, 0, 0, 1, 0, 1);
  const Both g = run_both("canary/m16-wide-tail", p, inputs);
  EXPECT_EQ(dq_of(g.healthy, 0, 0), 0.25);  // p (dP - D) = (1 - 1/2) / 2
  EXPECT_EQ(dq_of(g.faulty, 0, 0), -0.25);  // dP is lost, D is not
  for (const Index columns : {64, 63, 72}) {
    p.d_v = columns;
    expect_harmless("canary/m16-wide-tail", p, gaussian_inputs(p, 47));
  }
}

TEST(M18FourHeads, LeavesOutTheFifth) {
  Problem p = of_keys(1, 1);
  p.heads_q = 5;
  Inputs inputs = zero_inputs(p);
  for (Index h = 0; h < 5; ++h) set(inputs.dout, 0, h, 0, 0, 1);
  const Both g = run_both("canary/m18-four-heads", p, inputs);
  EXPECT_EQ(g.healthy.dv.view().value(0, 0, 0, 0), 5);
  EXPECT_EQ(g.faulty.dv.view().value(0, 0, 0, 0), 4);
  EXPECT_EQ(g.faulty.dq, g.healthy.dq);
  p.heads_q = 8;
  p.heads_k = 2;
  expect_harmless("canary/m18-four-heads", p, gaussian_inputs(p, 48));
}

TEST(M19DoutStrideIgnored, ReadsTheNextColumnOfADenseTensor) {
  Problem p = of_keys(1, 1);
  p.d_v = 2;
  const Inputs inputs = zero_inputs(p);
  Tensor wide(p.in, {1, 1, 1, 4});
  for (Index k = 0; k < 4; ++k) set(wide, 0, 0, 0, k, static_cast<double>(k));
  ConstTensorView dout = wide.view();
  dout.extents = p.o_extents();
  dout.strides = {4, 4, 4, 2};
  const Result forward = run_plain(p, inputs);
  GradientTensors g{Tensor(p.out, p.q_extents()), Tensor(p.out, p.k_extents()),
                    Tensor(p.out, p.v_extents())};
  (void)canary_named("canary/m19-dout-stride-ignored")
      .make()
      ->run_backward(p,
                     {inputs.q.view(), inputs.k.view(), inputs.v.view(), forward.o.view(),
                      forward.lse.view(), dout},
                     {g.dq.view(), g.dk.view(), g.dv.view()}, {});
  EXPECT_EQ(g.dv.view().value(0, 0, 0, 1), 1);  // 2, had it gone two columns on
  const Problem dense = three_tiles(Pass::bwd);
  expect_harmless("canary/m19-dout-stride-ignored", dense, gaussian_inputs(dense, 42));
}

TEST(M27OrderOfTheMoment, FollowsTheScheduleFromThreeTilesOn) {
  Problem p = three_tiles(Pass::bwd);
  p.out = Format::f32;
  const Inputs inputs = gaussian_inputs(p, 43);
  const Result forward = run_plain(p, inputs);
  const auto under = [&](const Subject& subject, std::uint64_t seed) {
    GradientTensors g{Tensor(p.out, p.q_extents()), Tensor(p.out, p.k_extents()),
                      Tensor(p.out, p.v_extents())};
    RunSettings settings;
    settings.schedule_seed = seed;
    (void)subject.run_backward(p,
                               {inputs.q.view(), inputs.k.view(), inputs.v.view(), forward.o.view(),
                                forward.lse.view(), inputs.dout.view()},
                               {g.dq.view(), g.dk.view(), g.dv.view()}, settings);
    return g;
  };
  const auto canary = canary_named("canary/m27-order-of-the-moment").make();
  EXPECT_NE(under(*canary, 0).dq, under(*canary, 1).dq);
  EXPECT_EQ(under(*canary, 0).dk, under(*canary, 1).dk);
  EXPECT_EQ(under(*canary, 0), under(*canary, 3));
  EXPECT_EQ(under(*make_plain("plain"), 0), under(*make_plain("plain"), 1));
  expect_harmless("canary/m27-order-of-the-moment", p, inputs);
}

TEST(M34DRowMajor, TakesAnotherRowsD) {
  Problem p = of_keys(2, 2);
  p.heads_q = p.heads_k = 2;
  const Both g = run_both("canary/m34-d-row-major", p, gaussian_inputs(p, 44));
  EXPECT_EQ(dq_of(g.faulty, 0, 0), dq_of(g.healthy, 0, 0));
  EXPECT_NE(dq_of(g.faulty, 0, 1), dq_of(g.healthy, 0, 1));
  EXPECT_EQ(g.faulty.dv, g.healthy.dv);
  const Problem one = of_keys(5, 20);
  expect_harmless("canary/m34-d-row-major", one, gaussian_inputs(one, 44));
}

TEST(M34EmptyEntryEndsAll, LeavesTheEntriesBehindItUnwritten) {
  Problem p = of_keys(1, 1);
  p.batch = 2;
  p.lk = {0, 1};
  const Both g = run_both("canary/m34-empty-entry-ends-all", p, gaussian_inputs(p, 45));
  for (const Index b : {0, 1}) {
    EXPECT_TRUE(std::isnan(dq_of(g.faulty, b, 0)));
    EXPECT_FALSE(std::isnan(dq_of(g.healthy, b, 0)));
  }
  p.lk = {1, 1};
  expect_harmless("canary/m34-empty-entry-ends-all", p, gaussian_inputs(p, 45));
}

TEST(M38OptionDropped, SendsGradientsOutOfTheWindow) {
  Problem p = of_keys(2, 2);
  p.left = 0;
  p.right = 0;
  Inputs inputs = zero_inputs(p);
  set(inputs.dout, 0, 0, 1, 0, 1);  // of row 1, which sees key 1 alone
  const Both g = run_both("canary/m38-option-dropped", p, inputs);
  EXPECT_EQ(g.healthy.dv.view().value(0, 0, 0, 0), 0);
  EXPECT_EQ(g.faulty.dv.view().value(0, 0, 0, 0), 1);
  p.left = kUnlimited;
  expect_harmless("canary/m38-option-dropped", p, gaussian_inputs(p, 46));
}

}  // namespace
}  // namespace attest::backward_canaries_test
