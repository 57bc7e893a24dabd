// Goal: a launch gives the same results, findings and counts on any number of threads, and the same
// results under any schedule unless sums of atomics depend on it.
#include "kernels/machine/emulator.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tests/kernels/machine/lanes.hpp"

namespace attest::emulator_test {
namespace {

using test::count_of;
using test::launch_lanes;
using test::only_finding;
using test::run_lanes;
using test::text_of;
using Kind = Finding::Kind;

constexpr int kBlocks = 37, kCells = 64 * kBlocks;

// Everything that a launch can leave behind.
struct Outcome {
  std::vector<std::uint32_t> o, sums;
  std::string findings;
  std::vector<std::int64_t> traffic;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

// Two launches: zeros, then exchanges through shared memory and sums of atomics that round.
Outcome run_mixture(std::uint64_t seed, int threads) {
  std::vector<float> in(kCells), o(kCells), sums(8);
  for (int i = 0; i < kCells; ++i)
    in[static_cast<std::size_t>(i)] = std::sin(0.7f * static_cast<float>(i));
  Emulator emulator({.schedule_seed = seed, .threads = threads});
  const auto x = emulator.input("x", in.data(), kCells);
  const auto y = emulator.output("y", o.data(), kCells);
  const auto s = emulator.output("s", sums.data(), 8);
  launch_lanes<32>(emulator, [s] {
    if (lane_index() < 8) s.store(lane_index(), 0.0f);
  });
  launch_lanes(emulator,
               [x, y, s] {
                 const int i = block_index().x * 64 + thread_index();
                 SharedArena arena;
                 const auto cells = arena.take<float>(64);
                 cells.store(thread_index(), x.load(i));
                 sync_block();
                 const float value = cells.load(63 - thread_index()) + shuffle_xor(x.load(i), 5);
                 y.store(i, value);
                 s.atomic_add(thread_index() % 8, value);
                 if (block_index().x == 11) (void)cells.load(99);  // a finding
               },
               {kBlocks});
  Outcome outcome{bits_of(o), bits_of(sums), text_of(emulator.report()), {}};
  for (const TensorTraffic& each : emulator.report().memory.traffic) {
    outcome.traffic.push_back(each.traffic.bytes_read);
    outcome.traffic.push_back(each.traffic.bytes_written);
  }
  return outcome;
}

TEST(Emulator, GivesTheSameOnAnyNumberOfThreads) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Outcome alone = run_mixture(seed, 1);
    EXPECT_FALSE(alone.findings.empty());
    for (const int threads : {2, 5, 64, 0}) {
      EXPECT_EQ(run_mixture(seed, threads), alone) << threads << " threads";
    }
  }
}

TEST(Emulator, GivesTheSameBitsUnderAnyScheduleExceptForSums) {
  const Outcome first = run_mixture(0, 1);
  std::set<std::vector<std::uint32_t>> sums;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Outcome other = run_mixture(seed, 2);
    EXPECT_EQ(other.o, first.o) << "seed " << seed;
    EXPECT_EQ(other.traffic, first.traffic);
    sums.insert(other.sums);
  }
  EXPECT_GT(sums.size(), 8u);
}

TEST(Emulator, CountsTheBytesThatLanesAskFor) {
  const std::vector<std::int64_t> traffic = run_mixture(0, 3).traffic;
  const std::int64_t bytes = 4 * kCells;
  EXPECT_EQ(traffic, (std::vector<std::int64_t>{2 * bytes, 0, 0, bytes, bytes, 4 * 8 + bytes}));
}

TEST(Emulator, RunsNoBlockOfAnEmptyGrid) {
  for (const Grid grid : {Grid{0, 1, 1}, Grid{1, 0, 1}, Grid{1 << 30, 1 << 30, 0}}) {
    bool ran = false;
    EXPECT_TRUE(run_lanes([&ran] { ran = true; }, {.threads = 4}, grid).clean());
    EXPECT_FALSE(ran);
  }
}

TEST(EmulatorDeathTest, ExpectsAGridThatCanBeNumbered) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH((void)run_lanes([] {}, {}, {-1, 1, 1}), "grid");
  EXPECT_DEATH((void)run_lanes([] {}, {}, {1 << 16, 1 << 15, 1}), "kMost");
}

TEST(Emulator, ThrowsWhatALaneThrowsAndGoesOn) {
  for (const int threads : {1, 3}) {
    std::vector<float> o(kBlocks);
    Emulator emulator({.threads = threads});
    const auto span = emulator.output("o", o.data(), kBlocks);
    const auto throwing = [span] {
      sync_block();
      const int block = block_index().x;
      if (thread_index() == 5 && block % 10 == 9) {
        throw std::runtime_error("block " + std::to_string(block));
      }
      sync_block();
      if (thread_index() == 0) span.store(block, 1.0f);
    };
    try {
      launch_lanes(emulator, throwing, {kBlocks});
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "block 9");  // the first in the order of the schedule
    }
    launch_lanes<32>(emulator,
                     [span] {
                       const int block = block_index().x;
                       if (lane_index() == 0 && block % 10 != 9) (void)span.load(block);
                     },
                     {kBlocks});
    EXPECT_TRUE(emulator.report().clean()) << text_of(emulator.report());
  }
}

TEST(Emulator, HandsScratchFromLaunchToLaunch) {
  std::vector<float> o(32);
  Emulator emulator(Emulation{});
  const auto scratch = emulator.scratch<float>("scratch", 64);
  const auto out = emulator.output("o", o.data(), 32);
  launch_lanes<32>(emulator, [scratch] { scratch.store(lane_index(), 3.0f); });
  launch_lanes<32>(emulator, [=] { out.store(lane_index(), scratch.load(31 - lane_index())); });
  EXPECT_TRUE(emulator.report().clean()) << text_of(emulator.report());
  EXPECT_EQ(o, std::vector<float>(32, 3.0f));
  launch_lanes<32>(emulator, [=] { out.store(lane_index(), scratch.load(32 + lane_index())); });
  EXPECT_TRUE(only_finding(emulator.report(), Kind::uninitialised_global));
  for (const float value : o) EXPECT_TRUE(std::isnan(value));
}

TEST(Emulator, ReportsAReadOfAnOutputThatNoKernelWrote) {
  std::vector<float> o(32, 1.0f);
  Emulator emulator(Emulation{});
  const auto out = emulator.output("o", o.data(), 32);
  launch_lanes<32>(emulator, [out] { (void)out.load(lane_index()); });
  EXPECT_TRUE(only_finding(emulator.report(), Kind::uninitialised_global));
  EXPECT_NE(text_of(emulator.report()).find("in o, block (0, 0, 0)"), std::string::npos);
}

TEST(Emulator, ReportsARaceWithinABlockInGlobalMemory) {
  std::vector<float> o(64);
  Emulator emulator(Emulation{});
  const auto out = emulator.output("o", o.data(), 64);
  launch_lanes(emulator, [out] {
    out.store(thread_index(), 1.0f);
    sync_block();
    (void)out.load(thread_index() ^ 33);
  });
  EXPECT_TRUE(emulator.report().clean());
  launch_lanes(emulator, [out] {
    out.store(thread_index(), 1.0f);
    (void)out.load(thread_index() ^ 33);
  });
  EXPECT_EQ(count_of(emulator.report(), Kind::race), 2) << text_of(emulator.report());
  EXPECT_EQ(emulator.report().findings.size(), 2u);
}

// One element that every block touches, in a launch of its own after one that wrote it.
template <class Body>
RunReport run_shared_element(Body body, int threads) {
  std::vector<float> o(1);
  Emulator emulator({.threads = threads});
  const auto out = emulator.output("o", o.data(), 1);
  launch_lanes<32>(emulator, [out] {
    if (lane_index() == 0) out.store(0, 0.0f);
  });
  launch_lanes<32>(emulator,
                   [out, body] {
                     if (lane_index() == 0) body(out);
                   },
                   {kBlocks});
  return emulator.report();
}

TEST(Emulator, ReportsBlocksThatRaceOnAnyNumberOfThreads) {
  for (const int threads : {1, 4}) {
    const auto reads = [](auto out) { (void)out.load(0); };
    EXPECT_TRUE(run_shared_element(reads, threads).clean());
    const auto adds = [](auto out) { out.atomic_add(0, 1.0f); };
    EXPECT_TRUE(run_shared_element(adds, threads).clean());
    const auto one_writes = [](auto out) {
      if (block_index().x == 20) out.store(0, 1.0f);
      if (block_index().x == 30) (void)out.load(0);
    };
    const RunReport report = run_shared_element(one_writes, threads);
    ASSERT_TRUE(only_finding(report, Kind::race)) << text_of(report);
    EXPECT_EQ(report.findings[0].text,
              "block 30 reads what block 20 writes in the same launch, element 0 of o");
    const auto all_write = [](auto out) { out.store(0, 1.0f); };
    EXPECT_TRUE(only_finding(run_shared_element(all_write, threads), Kind::race));
    const auto one_adds = [](auto out) {
      if (block_index().x == 3) out.atomic_add(0, 1.0f);
      if (block_index().x == 7) (void)out.load(0);
    };
    EXPECT_TRUE(only_finding(run_shared_element(one_adds, threads), Kind::race));
  }
}

TEST(Emulator, AddsAtomicallyWhenTheLaunchHasEnded) {
  std::vector<float> o(1);
  Emulator emulator({.threads = 3});
  const auto out = emulator.output("o", o.data(), 1);
  launch_lanes<32>(emulator, [out] {
    if (lane_index() == 0) out.store(0, 0.0f);
  });
  launch_lanes(emulator, [out] { out.atomic_add(0, 1.0f); }, {kBlocks});
  EXPECT_EQ(o[0], 64.0f * kBlocks);
  launch_lanes<32>(emulator, [out] { (void)out.load(0); });
  EXPECT_TRUE(emulator.report().clean()) << text_of(emulator.report());
}

TEST(Emulator, SeesNoRacesWhenTold) {
  std::vector<float> o(1);
  Emulator emulator({.detect_races = false});
  const auto out = emulator.output("o", o.data(), 1);
  launch_lanes(emulator, [out] { out.store(0, out.load(0)); }, {kBlocks});
  EXPECT_TRUE(emulator.report().clean());
}

TEST(Emulator, LaunchesBlocksOfAThousandThreads) {
  int sum = 0;
  EXPECT_TRUE(run_lanes<1024>([&sum] {
                sync_block();
                sum += thread_index();
              }).clean());
  EXPECT_EQ(sum, 1023 * 512);
}

}  // namespace
}  // namespace attest::emulator_test
