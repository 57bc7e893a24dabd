// Goal: the tiled kernel breaks no rule of the machine, no schedule or number of threads changes a
// bit of it, it stores no score, and nothing outside every row's band reaches an output. That its
// numbers are right is for the laws, over drawn cases.
#include "kernels/attention/tiled.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "judge/arithmetic.hpp"
#include "kernels/attention/tile_plan.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "tests/kernels/attention/reported_run.hpp"
#include "tests/kernels/attention/shaped.hpp"
#include "tests/kernels/pairwise_softmax.hpp"

namespace attest::tiled_test {
namespace {

constexpr RunForm kTiled = run_tiled_form<0>;

// Ragged tails, no keys, no queries, all head dimensions, lengths, bands, both formats.
std::vector<Problem> shapes() {
  std::vector<Problem> all = {shaped(1, 1, 1, 1),     shaped(17, 130, 64, 64),
                              shaped(65, 33, 7, 40),  shaped(70, 70, 72, 128),
                              shaped(40, 50, 256, 3), shaped(20, 70, 255, 129),
                              shaped(5, 0, 16, 16),   shaped(0, 5, 16, 16)};
  Problem banded = shaped(130, 150, 33, 64);
  banded.left = 20;
  banded.right = 3;
  banded.in = banded.out = Format::bf16;
  all.push_back(banded);
  Problem lengths = shaped(90, 140, 64, 65);
  lengths.lq = {90, 20};
  lengths.lk = {70, 0};
  lengths.right = 0;
  lengths.out = Format::f32;
  all.push_back(lengths);
  Problem gap = shaped(20, 20, 16, 16);
  gap.left = -4;
  gap.right = 2;
  all.push_back(gap);
  return all;
}

TEST(Tiled, BreaksNoRuleOfTheMachine) {
  for (const Problem& p : shapes()) {
    const ReportedRun run = run_reported(kTiled, p, gaussian_inputs(p, 5));
    EXPECT_TRUE(run.report.clean()) << to_string(p) << '\n' << findings_of(run.report);
  }
}

TEST(Tiled, GivesTheSameBitsUnderSixteenSchedulesAndAnyNumberOfThreads) {
  for (const Problem& p : shapes()) {
    const Inputs inputs = gaussian_inputs(p, 6);
    const ReportedRun first = run_reported(kTiled, p, inputs, emulation_of(Unit::h100));
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      const int threads = seed % 4 == 0 ? 3 : 1;
      const auto other = run_reported(kTiled, p, inputs, emulation_of(Unit::h100, seed, threads));
      EXPECT_EQ(other.result, first.result) << to_string(p) << " seed " << seed;
      EXPECT_TRUE(other.report.clean()) << to_string(p) << '\n' << findings_of(other.report);
    }
  }
}

// The quad's four lanes hold two neighbouring columns of eight each, wherever a band begins.
TEST(Tiled, DeclaresAChainThatCoversTheLongestOfItsLanes) {
  for (Index first = 0; first < 8; ++first) {
    for (Index keys = 1; keys <= 600; ++keys) {
      Index longest = 0;
      for (Index lane = 0; lane < 4; ++lane) {
        Index own = 0;
        for (Index j = first; j < first + keys; ++j) own += j % 8 / 2 == lane ? 1 : 0;
        longest = std::max(longest, own);
      }
      // The first addition of a lane is exact, and two join the lanes; no other meets a live key.
      const Resolved declared =
          resolve(tiled_subjects().front().subject->numerics({}, Unit::h100), {});
      const auto additions = static_cast<double>(std::min(keys - 1, longest - 1 + 2));
      ASSERT_GE(gam_of_row_sum(declared, keys, 1), additions * kU) << first << ' ' << keys;
    }
  }
}

TEST(Tiled, LeavesNoFieldOfItsDeclarationOpen) {
  for (const DescribedSubject& each : tiled_subjects()) {
    const Problem p = shaped(9, 9, 9, 9);
    EXPECT_TRUE(resolve(each.subject->numerics(p, Unit::a100), p).assumed.empty())
        << each.subject->name();
  }
}

TEST(Tiled, DeclinesWhatItsMachineCannotHold) {
  const auto tiled = std::move(tiled_subjects().front().subject);
  const auto reason = [&](const Problem& p) {
    return tiled->unsupported(p, Unit::h100).value_or("");
  };
  Problem p = shaped(1, 1, 257, 1);
  EXPECT_NE(reason(p).find("dqk up to 256, not 257"), std::string::npos) << reason(p);
  p = shaped(1, 1, 1, 300);
  EXPECT_NE(reason(p).find("dv up to 256, not 300"), std::string::npos) << reason(p);
  p = shaped(1, 1, 1, 1);
  p.batch = p.heads_q = 65'535;
  EXPECT_NE(reason(p).find("blocks"), std::string::npos) << reason(p);
  p = shaped(1, 1, 1, 1);
  p.in = Format::f32;
  EXPECT_NE(reason(p).find("not f32"), std::string::npos) << reason(p);
  EXPECT_FALSE(tiled->unsupported(shaped(1, 1, 256, 256), Unit::h100));
}

// Every block reads its queries once and each tile of keys once; the scores go nowhere.
TEST(Tiled, ReadsKeysOncePerTileOfQueriesAndStoresNoScore) {
  const Problem p = shaped(130, 200, 64, 64);
  const RunReport report = run_reported(kTiled, p, gaussian_inputs(p, 8)).report;
  const Index heads = p.batch * p.heads_q;
  const Index blocks = (p.n_q + 63) / 64;
  ASSERT_EQ(report.memory.traffic.size(), 7u);  // q k v o lse lq lk, no scratch
  EXPECT_EQ(traffic_of(report, "q")->bytes_read, heads * p.n_q * 64 * 2);
  EXPECT_EQ(traffic_of(report, "k")->bytes_read, heads * blocks * p.n_k * 64 * 2);
  EXPECT_EQ(traffic_of(report, "v")->bytes_read, heads * blocks * p.n_k * 64 * 2);
  EXPECT_EQ(traffic_of(report, "o")->bytes_written, heads * p.n_q * 64 * 2);
  EXPECT_EQ(traffic_of(report, "o")->bytes_read, 0);
  EXPECT_EQ(traffic_of(report, "lse")->bytes_written, heads * p.n_q * 4);
}

TEST(Tiled, SkipsTilesOutsideTheBand) {
  Problem p = shaped(64, 640, 64, 64);
  p.batch = p.heads_q = 1;
  p.left = 0;
  p.right = 0;
  p.align = Align::top_left;
  const RunReport report = run_reported(kTiled, p, gaussian_inputs(p, 9)).report;
  EXPECT_EQ(traffic_of(report, "k")->bytes_read, 64 * 64 * 2);

  // Blocks of queries beyond the last key see nothing, and look at no tile.
  const auto switches_of = [&](Index n_q) {
    p.n_q = n_q;
    return run_reported(kTiled, p, gaussian_inputs(p, 9)).report.fiber_switches;
  };
  const std::int64_t blocks_that_see = switches_of(640) - switches_of(576);
  EXPECT_LT(switches_of(704) - switches_of(640), blocks_that_see / 2);
}

// NaN wherever no row of the head looks, in K, V and beyond the queries.
TEST(Tiled, KeepsWhatNoRowSeesOutOfTheOutputs) {
  Problem p = shaped(40, 100, 16, 16);
  p.lk = {30, 61};
  p.lq = {40, 7};
  p.left = 3;
  p.right = 2;
  Inputs inputs = gaussian_inputs(p, 10);
  const Result clean = run_reported(kTiled, p, inputs).result;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index j = 0; j < p.n_k; ++j) {
      bool seen = false;
      for (Index i = 0; i < p.n_q; ++i) seen = seen || pair_is_live(p, b, i, j);
      if (seen) continue;
      for (Index column = 0; column < 16; ++column) {
        set(inputs.k, b, 0, j, column, std::numeric_limits<double>::quiet_NaN());
        set(inputs.v, b, 0, j, column, std::numeric_limits<double>::infinity());
      }
    }
  }
  EXPECT_EQ(run_reported(kTiled, p, inputs).result, clean);
}

// What a view describes need not lie densely.
TEST(Tiled, TakesAndFillsStridedViews) {
  const Problem p = shaped(20, 30, 24, 10);
  const Inputs inputs = gaussian_inputs(p, 11);
  const Result dense = run_reported(kTiled, p, inputs).result;
  Tensor gapped(p.out, {p.batch, p.heads_q, p.n_q, p.d_v + 3});
  TensorView o = gapped.view();
  o.extents = p.o_extents();
  Tensor lse(Format::f32, p.lse_extents());
  Emulator emulator(emulation_of(Unit::h100));
  kTiled(emulator, p, {inputs.q.view(), inputs.k.view(), inputs.v.view()}, {o, lse.view()});
  for_each(p.o_extents(), [&](Index b, Index h, Index i, Index k) {
    EXPECT_EQ(o.bits(b, h, i, k), dense.o.view().bits(b, h, i, k));
  });
}

}  // namespace
}  // namespace attest::tiled_test
