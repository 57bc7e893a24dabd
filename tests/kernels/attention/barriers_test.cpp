// Goal: no barrier of the tiled kernel is there for nothing. Each is left out in turn; the race
// detector must see it, and the whole kernel must be clean on the same case.
#include <gtest/gtest.h>

#include "kernels/attention/tiled_run.hpp"
#include "tests/kernels/attention/reported_run.hpp"

namespace attest::barriers_test {
namespace {

static_assert(TiledForward<Fp16, 64, TiledConfig{}>::kBarriers == 3, "leave the new one out, too");

template <int kHeadDim, int kOmitted>
void run_without(Emulator& machine, const Problem& p, const ForwardInputs& inputs,
                 const ForwardOutputs& outputs) {
  constexpr TiledConfig kConfig{.omitted_barrier = kOmitted};
  launch_tiled<Fp16, kHeadDim, kConfig>(machine, p, inputs, outputs);
}

Problem of_head_dim(Index d) {
  Problem p;
  p.n_q = 70;
  p.n_k = 140;
  p.d_qk = d;
  p.d_v = d;
  p.scale = default_scale(d);
  return p;
}

template <int kHeadDim, int kOmitted>
RunReport report_without() {
  const Problem p = of_head_dim(kHeadDim);
  return run_reported(run_without<kHeadDim, kOmitted>, p, gaussian_inputs(p, 3)).report;
}

template <int kHeadDim>
void expect_each_needed() {
  EXPECT_TRUE((report_without<kHeadDim, 0>().clean()));
  EXPECT_TRUE(has(report_without<kHeadDim, 2>(), Finding::Kind::race));
  EXPECT_TRUE(has(report_without<kHeadDim, 3>(), Finding::Kind::race));
}

TEST(Barriers, AreAllNeededWhereFragmentsOfQAreHeld) {
  expect_each_needed<64>();
  expect_each_needed<128>();
  EXPECT_TRUE(has(report_without<64, 1>(), Finding::Kind::race));
  EXPECT_TRUE(has(report_without<128, 1>(), Finding::Kind::race));
}

// There barrier 2 stands between the stores and the loads of q as well.
TEST(Barriers, TwoAndThreeSufficeWhereTheyAreNot) {
  expect_each_needed<256>();
  EXPECT_TRUE((report_without<256, 1>().clean()));
}

// Without the detector a missing barrier still shows: the bits depend on the schedule.
TEST(Barriers, AMissingOneLetsSchedulesChangeTheResult) {
  const Problem p = of_head_dim(64);
  const Inputs inputs = gaussian_inputs(p, 4);
  Emulation emulation = emulation_of(Unit::fp32_seq);
  emulation.detect_races = false;
  const Result natural = run_reported(run_without<64, 0>, p, inputs, emulation).result;
  int changed = 0;
  for (emulation.schedule_seed = 1; emulation.schedule_seed <= 16; ++emulation.schedule_seed) {
    EXPECT_EQ(run_reported(run_without<64, 0>, p, inputs, emulation).result, natural);
    if (run_reported(run_without<64, 3>, p, inputs, emulation).result != natural) ++changed;
  }
  EXPECT_GT(changed, 0);
}

}  // namespace
}  // namespace attest::barriers_test
