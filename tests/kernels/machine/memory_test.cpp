// Goal: no access to shared or global memory escapes the checks, and every finding names its line.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/kernels/machine/lanes.hpp"

namespace attest::memory_test {
namespace {

using test::count_of;
using test::launch_lanes;
using test::only_finding;
using test::run_lanes;
using test::text_of;
using Kind = Finding::Kind;

constexpr int kFarInt = std::numeric_limits<int>::max();
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

// One lane runs it.
template <class Body>
RunReport run_one(Body body, const Emulation& emulation = {}) {
  return run_lanes<32>(
      [body] {
        if (lane_index() == 0) body();
      },
      emulation);
}

TEST(SharedMemory, StartsAsNaNInEveryFormatAndBlock) {
  int numbers = 0;
  (void)run_lanes<32>(
      [&numbers] {
        SharedArena arena;
        const auto floats = arena.take<float>(32);
        const auto halves = arena.take<Fp16>(32);
        numbers += !std::isnan(floats.load(lane_index()));
        numbers += !std::isnan(widen(halves.load(lane_index())));
        floats.store(lane_index(), 1.0f);
        halves.store(lane_index(), Fp16{0});
      },
      {.detect_races = false}, {5});
  EXPECT_EQ(numbers, 0);
}

TEST(SharedMemory, ReportsAReadOfWhatNobodyWrote) {
  const RunReport report = run_one([] {
    SharedArena arena;
    const auto cells = arena.take<float>(4);
    cells.store(0, 1.0f);
    (void)cells.load(0);
    (void)cells.load(1);
  });
  EXPECT_TRUE(only_finding(report, Kind::uninitialised_shared)) << text_of(report);
}

TEST(SharedMemory, IsUnwrittenAgainInTheNextBlock) {
  const auto body = [] {
    SharedArena arena;
    const auto cells = arena.take<float>(32);
    if (block_index().x == 0) cells.store(lane_index(), 1.0f);
    (void)cells.load(lane_index());
  };
  EXPECT_TRUE(run_lanes<32>(body).clean());
  EXPECT_TRUE(only_finding(run_lanes<32>(body, {}, {2}), Kind::uninitialised_shared));
}

TEST(SharedMemory, RefusesAccessesOutOfBounds) {
  int numbers = 0;
  const RunReport report = run_one([&numbers] {
    SharedArena arena;
    const auto cells = arena.take<Fp16>(12);
    const auto after = arena.take<Fp16>(8);
    for (int i = 0; i < 8; ++i) after.store(i, Fp16{0});
    for (const int i : {-1, 12, kFarInt, -kFarInt}) {
      numbers += !std::isnan(widen(cells.load(i)));
      cells.store(i, Fp16{0x3c00});
      (void)cells.load_pair(i);
      (void)cells.load16(i);
    }
    (void)cells.load16(8);  // only four are left
    for (int i = 0; i < 8; ++i) numbers += after.load(i).bits != 0;
  });
  EXPECT_EQ(numbers, 0);
  EXPECT_EQ(count_of(report, Kind::out_of_bounds), 5) << text_of(report);  // lines
  EXPECT_EQ(report.findings.size(), 5u);
}

TEST(SharedMemory, RefusesMisalignedAccesses) {
  const RunReport report = run_one([] {
    SharedArena arena;
    const auto cells = arena.take<Bf16>(32);
    cells.store16(0, {});
    cells.store16(8, {});
    (void)cells.load16(8);
    (void)cells.load_pair(2);
    (void)cells.load16(4);
    (void)cells.load_pair(3);
  });
  EXPECT_EQ(count_of(report, Kind::misaligned), 2) << text_of(report);
  EXPECT_EQ(report.findings.size(), 2u);
}

TEST(SharedMemory, IsNoLargerThanTheKernelSays) {
  for (const int count : {257, kFarInt, -1}) {
    const RunReport report = run_one([count] {
      SharedArena arena;
      const auto cells = arena.take<float>(count);
      cells.store(0, 1.0f);
    });
    EXPECT_EQ(count_of(report, Kind::out_of_bounds), 2) << text_of(report);  // take and store
  }
  EXPECT_TRUE(run_one([] {
                SharedArena arena;
                (void)arena.take<Fp16>(7);  // rounded up to 16 bytes
                arena.take<float>(252).store(251, 1.0f);
              }).clean());
}

TEST(SharedMemory, IsOrderedWithinAWarpByItsBarrierAlone) {
  const auto exchange = [](auto wait) {
    return run_lanes([wait] {
      SharedArena arena;
      const auto cells = arena.take<float>(64);
      cells.store(thread_index(), 1.0f);
      wait();
      (void)cells.load(thread_index() ^ 1);
    });
  };
  EXPECT_TRUE(exchange([] { sync_warp(); }).clean());
  EXPECT_TRUE(exchange([] { sync_block(); }).clean());
  // The emulator waits at a shuffle, a GPU need not.
  EXPECT_TRUE(only_finding(exchange([] { (void)shuffle_xor(0.0f, 1); }), Kind::race));
}

TEST(SharedMemory, IsNotOrderedBetweenWarpsByABarrierOfAWarp) {
  const RunReport report = run_lanes([] {
    SharedArena arena;
    const auto cells = arena.take<float>(64);
    cells.store(thread_index(), 0.0f);
    sync_block();
    cells.store(thread_index(), 1.0f);
    sync_warp();
    (void)cells.load(thread_index() ^ 32);
  });
  EXPECT_EQ(count_of(report, Kind::race), 2) << text_of(report);  // one for each who came first
  EXPECT_EQ(report.findings.size(), 2u);
}

TEST(SharedMemory, LetsNeighboursWriteSixteenBitsEach) {
  EXPECT_TRUE(run_lanes([] {
                SharedArena arena;
                arena.take<Fp16>(64).store(thread_index(), Fp16{0});
              }).clean());
}

TEST(SharedMemory, ReportsAWriterAmongReaders) {
  const RunReport report = run_lanes([] {
    SharedArena arena;
    const auto cells = arena.take<float>(1);
    if (thread_index() == 0) cells.store(0, 1.0f);
    sync_block();
    (void)cells.load(0);
    if (thread_index() == 7) cells.store(0, 2.0f);
  });
  EXPECT_GE(count_of(report, Kind::race), 1);
  EXPECT_NE(text_of(report).find("tests/kernels/machine/memory_test.cpp:"), std::string::npos);
}

TEST(GlobalMemory, RefusesAccessesOutOfBounds) {
  std::vector<float> data(12, 1.0f);
  Emulator emulator(Emulation{});
  const auto in = emulator.input("q", data.data(), 8);  // the rest is not its own
  const auto out = emulator.output("o", data.data(), 8);
  int numbers = 0;
  launch_lanes<32>(emulator, [&numbers, in, out] {
    if (lane_index() != 0) return;
    for (const std::int64_t i : {std::int64_t{-1}, std::int64_t{8}, kFar, -kFar}) {
      numbers += !std::isnan(in.load(i));
      out.store(i, 2.0f);
      out.store16(i, {});
      out.atomic_add(i, 2.0f);
      (void)in.load16(i);
    }
    GlobalSpan<float> nowhere;
    nowhere.store(0, 1.0f);
  });
  EXPECT_EQ(numbers, 0);
  EXPECT_EQ(data, std::vector<float>(12, 1.0f));
  const RunReport report = emulator.report();
  EXPECT_EQ(count_of(report, Kind::out_of_bounds), 6) << text_of(report);
  EXPECT_EQ(report.findings.size(), 6u);
  EXPECT_NE(text_of(report).find("in q"), std::string::npos);
}

TEST(GlobalMemory, IsAlignedAsOnTheDevice) {
  std::vector<Fp16> data(33, Fp16{0});
  Emulator emulator(Emulation{});
  const auto in = emulator.input("k", data.data() + 1, 32);  // the device's copy starts aligned
  launch_lanes<32>(emulator, [in] {
    if (lane_index() == 0) (void)in.load16(8);
  });
  EXPECT_TRUE(emulator.report().clean()) << text_of(emulator.report());
  launch_lanes<32>(emulator, [in] {
    if (lane_index() == 0) (void)in.load16(7);
  });
  EXPECT_TRUE(only_finding(emulator.report(), Kind::misaligned));
}

}  // namespace
}  // namespace attest::memory_test
