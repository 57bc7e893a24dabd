// Goal: a block that never ends is given up and reported, whatever it waits for, and costs its
// launch no more than that block.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "tests/kernels/machine/lanes.hpp"

namespace attest::endless_test {
namespace {

using test::only_finding;
using test::run_lanes;
using test::text_of;
using Kind = Finding::Kind;

constexpr int kBlocks = 37;

TEST(Endless, IsALaneThatWaitsInALoop) {
  for (const bool detect : {false, true}) {
    const RunReport report = run_lanes(
        [] {
          SharedArena arena;
          const auto flag = arena.take<int>(1);
          if (thread_index() == 1) flag.store(0, 0);
          sync_block();
          if (thread_index() == 0) {
            while (flag.load(0) == 0) {
            }
          }
          sync_block();
        },
        {.detect_races = detect, .most_steps = 10'000});
    EXPECT_TRUE(only_finding(report, Kind::endless)) << text_of(report);
  }
}

TEST(Endless, IsABlockThatWaitsInALoop) {
  const RunReport report = run_lanes(
      [] {
        for (;;) sync_block();
      },
      {.most_steps = 10'000});
  EXPECT_TRUE(only_finding(report, Kind::endless)) << text_of(report);
}

// One lane waits in a loop of accesses that are refused; what else it is charged with is `kind`.
template <class Access>
void expect_endless_beside(Kind kind, Access access) {
  std::vector<float> o(8, 1.0f);
  Emulator emulator({.most_steps = 10'000});
  const auto out = emulator.output("o", o.data(), 8);
  test::launch_lanes<32>(emulator, [out, access] {
    SharedArena arena;
    const auto cells = arena.take<float>(8);
    while (lane_index() == 0) access(cells, out);
  });
  const RunReport report = emulator.report();
  EXPECT_EQ(report.findings.size(), 2u) << text_of(report);
  EXPECT_EQ(test::count_of(report, kind), 1) << text_of(report);
  EXPECT_EQ(test::count_of(report, Kind::endless), 1) << text_of(report);
}

TEST(Endless, IsALaneThatWaitsForARefusedSharedCell) {
  expect_endless_beside(Kind::out_of_bounds, [](auto cells, auto) { (void)cells.load(100); });
  expect_endless_beside(Kind::out_of_bounds, [](auto cells, auto) { cells.store(-1, 1.0f); });
  expect_endless_beside(Kind::misaligned, [](auto cells, auto) { (void)cells.load16(1); });
  expect_endless_beside(Kind::misaligned, [](auto cells, auto) { cells.store16(2, {}); });
}

TEST(Endless, IsALaneThatWaitsForARefusedGlobalElement) {
  expect_endless_beside(Kind::out_of_bounds, [](auto, auto out) { (void)out.load(100); });
  expect_endless_beside(Kind::out_of_bounds, [](auto, auto out) { out.store(8, 1.0f); });
  expect_endless_beside(Kind::out_of_bounds, [](auto, auto out) { out.atomic_add(-1, 1.0f); });
  expect_endless_beside(Kind::misaligned, [](auto, auto out) { (void)out.load16(1); });
  expect_endless_beside(Kind::misaligned, [](auto, auto out) { out.store16(2, {}); });
}

TEST(Endless, IsSeenWithAPatienceThatNobodyChose) {
  const RunReport report = run_lanes<32>(
      [] {
        SharedArena arena;
        const auto cells = arena.take<float>(1);
        cells.store(0, 0.0f);
        while (cells.load(0) == 0) {
        }
      },
      {.detect_races = false});
  ASSERT_TRUE(only_finding(report, Kind::endless)) << text_of(report);
  EXPECT_NE(report.findings[0].text.find(std::to_string(default_patience(0))), std::string::npos);
}

// What a launch of which every tenth block waits in vain leaves behind, and how many it began.
struct EndlessLaunch {
  std::string findings;
  float sum;
  int begun;
};

EndlessLaunch run_endless_blocks(std::uint64_t seed, int threads) {
  std::atomic<int> begun = 0;
  std::vector<float> sum(1);
  Emulator emulator({.schedule_seed = seed, .threads = threads, .most_steps = 100'000});
  const auto out = emulator.output("sum", sum.data(), 1);
  test::launch_lanes<32>(emulator, [out] {
    if (lane_index() == 0) out.store(0, 0.0f);
  });
  test::launch_lanes<32>(emulator,
                         [out, &begun] {
                           if (lane_index() == 0) ++begun;
                           if (lane_index() == 0) out.atomic_add(0, 1.0f);
                           while (block_index().x % 10 == 7) sync_warp();
                           sync_warp();
                           if (block_index().x % 10 == 1) (void)out.load(5);  // another finding
                         },
                         {kBlocks});
  return {text_of(emulator.report()), sum[0], begun};
}

TEST(Endless, BlockIsTheLastOfItsLaunch) {
  const EndlessLaunch alone = run_endless_blocks(0, 1);
  EXPECT_EQ(alone.begun, 8);
  EXPECT_EQ(alone.sum, 8.0f);
  EXPECT_NE(alone.findings.find("block (7, 0, 0)"), std::string::npos) << alone.findings;
  EXPECT_EQ(alone.findings.find("block (17, 0, 0)"), std::string::npos) << alone.findings;
}

TEST(Endless, BlockIsTheSameOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const EndlessLaunch alone = run_endless_blocks(seed, 1);
    EXPECT_NE(alone.findings.find("no end in sight"), std::string::npos);
    for (const int threads : {2, 5, kBlocks}) {
      const EndlessLaunch other = run_endless_blocks(seed, threads);
      EXPECT_EQ(other.findings, alone.findings) << "seed " << seed << ", " << threads << " threads";
      EXPECT_EQ(other.sum, alone.sum);
      EXPECT_GE(other.begun, alone.begun);
    }
  }
}

}  // namespace
}  // namespace attest::endless_test
