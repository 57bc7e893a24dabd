// Goal: the backward breaks no rule of the machine; where it declares one order of sums, no
// schedule and no number of threads changes a bit, and where it adds atomically they do, in dQ and
// nowhere else; it stores nothing that grows with the pairs. That its numbers are right is for the
// laws, over drawn cases.
#include <gtest/gtest.h>

#include "kernels/attention/backward_plan.hpp"
#include "kernels/attention/tiled.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "tests/kernels/attention/backward_shapes.hpp"
#include "tests/kernels/attention/reported_backward.hpp"

namespace attest::backward_test {
namespace {

constexpr std::string_view kTiled = "tiled", kAtomic = "variant/tiled-atomic-dq";

struct Backward {
  Problem p;
  Inputs inputs;
  Result forward;

  explicit Backward(const Problem& problem, std::uint64_t seed)
      : p(problem),
        inputs(gaussian_inputs(problem, seed)),
        forward(run_reported(run_tiled_form<0>, problem, inputs, emulation_of(Unit::h100)).result) {
  }

  [[nodiscard]] ReportedBackward run(std::string_view name, std::uint64_t schedule_seed = 0,
                                     int threads = 1) const {
    return run_reported(backward_of(name), p, inputs, forward,
                        emulation_of(Unit::h100, schedule_seed, threads));
  }
};

void expect_same_bits(const Backward& backward, std::uint64_t seeds) {
  const ReportedBackward first = backward.run(kTiled);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const ReportedBackward other = backward.run(kTiled, seed, seed % 2 == 0 ? 3 : 1);
    EXPECT_EQ(other.result, first.result) << to_string(backward.p) << " seed " << seed;
    EXPECT_TRUE(other.report.clean()) << to_string(backward.p) << findings_of(other.report);
  }
}

TEST(Backward, GivesTheSameBitsUnderAnyScheduleAndNumberOfThreads) {
  for (const Problem& p : backward_shapes()) expect_same_bits(Backward(p, 6), 2);
  Problem group = backward_shape(70, 140, 24, 40);
  group.heads_k = 1;
  expect_same_bits(Backward(group, 5), 16);
}

TEST(Backward, WithAtomicSumsDependsOnTheScheduleInDqAlone) {
  Problem p = backward_shape(20, 300, 64, 64);
  p.out = Format::f32;
  const Backward backward(p, 7);
  const GradientTensors first = backward.run(kAtomic).result;
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const int threads = seed % 4 == 0 ? 3 : 1;
    const ReportedBackward other = backward.run(kAtomic, seed, threads);
    EXPECT_TRUE(other.report.clean()) << findings_of(other.report);
    EXPECT_EQ(other.result.dk, first.dk) << seed;
    EXPECT_EQ(other.result.dv, first.dv) << seed;
    EXPECT_EQ(backward.run(kAtomic, seed, 2).result.dq, other.result.dq) << seed;
    if (other.result.dq != first.dq) ++changed;
  }
  EXPECT_GT(changed, 0);
}

// Beside its inputs a backward keeps a number a row, and one an element of dQ where atomics sum it.
TEST(Backward, HasOneDkAndDvWhoeverSumsDqAndKeepsNothingThatGrowsWithThePairs) {
  for (const Problem& p : backward_shapes()) {
    const Backward backward(p, 8);
    const ReportedBackward tiled = backward.run(kTiled), atomic = backward.run(kAtomic);
    EXPECT_EQ(atomic.result.dk, tiled.result.dk) << to_string(p);
    EXPECT_EQ(atomic.result.dv, tiled.result.dv) << to_string(p);
    EXPECT_TRUE(atomic.report.clean()) << to_string(p) << '\n' << findings_of(atomic.report);
    const Index rows = p.batch * p.heads_q * p.n_q;
    EXPECT_EQ(tiled.report.memory.scratch_bytes, rows * 4) << to_string(p);
    EXPECT_EQ(atomic.report.memory.scratch_bytes, rows * 4 * (1 + p.d_qk)) << to_string(p);
  }
}

TEST(Backward, WritesEachGradientOnceAndReadsARowOncePerTileThatSeesIt) {
  const Problem p = backward_shape(130, 200, 64, 48);
  const RunReport report = Backward(p, 10).run(kTiled).report;
  const BackwardPlan plan = backward_plan(64);
  const Index heads = p.batch * p.heads_q;
  const Index tiles_of_queries = (p.n_q + plan.own - 1) / plan.own;
  const Index tiles_of_keys = (p.n_k + plan.own - 1) / plan.own;
  EXPECT_EQ(traffic_of(report, "dq")->bytes_written, heads * p.n_q * 64 * 2);
  EXPECT_EQ(traffic_of(report, "dk")->bytes_written, heads * p.n_k * 64 * 2);
  EXPECT_EQ(traffic_of(report, "dv")->bytes_written, heads * p.n_k * 48 * 2);
  EXPECT_EQ(traffic_of(report, "q")->bytes_read, heads * p.n_q * 64 * 2 * (tiles_of_keys + 1));
  EXPECT_EQ(traffic_of(report, "k")->bytes_read, heads * p.n_k * 64 * 2 * (tiles_of_queries + 1));
  EXPECT_EQ(traffic_of(report, "v")->bytes_read, heads * p.n_k * 48 * 2 * (tiles_of_queries + 1));
  EXPECT_EQ(traffic_of(report, "dout")->bytes_read, heads * p.n_q * 48 * 2 * (tiles_of_keys + 2));
  EXPECT_EQ(traffic_of(report, "o")->bytes_read, heads * p.n_q * 48 * 2);
}

TEST(Backward, SkipsTilesOutsideTheBand) {
  Problem p = backward_shape(640, 64, 64, 64);
  p.heads_q = p.heads_k = 1;
  p.left = p.right = 0;
  p.align = Align::top_left;
  const RunReport report = Backward(p, 11).run(kTiled).report;
  EXPECT_EQ(traffic_of(report, "q")->bytes_read, 2 * 64 * 64 * 2);
  EXPECT_EQ(traffic_of(report, "k")->bytes_read, 2 * 64 * 64 * 2);
}

TEST(Backward, TakesAndFillsStridedViews) {
  const Backward backward(backward_shape(20, 30, 24, 10), 12);
  const Problem& p = backward.p;
  const GradientTensors dense = backward.run(kTiled).result;
  Tensor gapped(p.out, {p.batch, p.heads_q, p.n_q, p.d_qk + 3});
  TensorView dq = gapped.view();
  dq.extents = p.q_extents();
  Tensor dk(p.out, p.k_extents()), dv(p.out, p.v_extents());
  const auto& [q, k, v, dout, glse] = backward.inputs;
  Emulator emulator(emulation_of(Unit::h100));
  backward_of(kTiled)(emulator, p,
                      {q.view(), k.view(), v.view(), backward.forward.o.view(),
                       backward.forward.lse.view(), dout.view()},
                      {dq, dk.view(), dv.view()});
  for_each(p.q_extents(), [&](Index b, Index h, Index i, Index column) {
    EXPECT_EQ(dq.bits(b, h, i, column), dense.dq.view().bits(b, h, i, column));
  });
  EXPECT_EQ(dk, dense.dk);
}

}  // namespace
}  // namespace attest::backward_test
