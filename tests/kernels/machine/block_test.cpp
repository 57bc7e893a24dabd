// Goal: lanes know who they are, exchange values, wait for each other, and run in drawn orders.
#include "kernels/machine/block.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "tests/kernels/machine/lanes.hpp"

namespace attest::block_test {
namespace {

using test::launch_lanes;
using test::run_lanes;
using test::text_of;

constexpr std::uint64_t kSeeds = 12;

TEST(Block, TellsEachLaneWhoItIs) {
  std::vector<int> seen(96, -1);
  const RunReport report = run_lanes<96>([&seen] {
    seen[static_cast<std::size_t>(thread_index())] = 100 * warp_index() + lane_index();
  });
  EXPECT_TRUE(report.clean());
  for (int thread = 0; thread < 96; ++thread) {
    EXPECT_EQ(seen[static_cast<std::size_t>(thread)], 100 * (thread / 32) + thread % 32);
  }
}

TEST(Block, ExchangesByXorUnderEverySchedule) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    int wrong = 0;
    const RunReport report = run_lanes(
        [&wrong] {
          const auto mine = static_cast<float>(thread_index());
          for (int mask = 1; mask < 32; ++mask) {
            wrong += shuffle_xor(mine, mask) != static_cast<float>(thread_index() ^ mask);
          }
        },
        {.schedule_seed = seed});
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(report.clean()) << text_of(report);
  }
}

TEST(Block, ReportsAMaskThatNamesNoLane) {
  for (const int mask : {32, 33, -1, std::numeric_limits<int>::min()}) {
    std::array<float, 32> received{};
    const RunReport report = run_lanes<32>([&received, mask] {
      const int lane = lane_index();
      received[static_cast<std::size_t>(lane)] =
          shuffle_xor(static_cast<float>(lane), lane < 2 ? mask : 31);
    });
    ASSERT_TRUE(test::only_finding(report, Finding::Kind::bad_argument)) << text_of(report);
    EXPECT_NE(text_of(report).find("mask " + std::to_string(mask)), std::string::npos);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (lane < 2) {
        EXPECT_TRUE(std::isnan(received[lane]));
      } else {
        EXPECT_EQ(received[lane], static_cast<float>(31 - lane));
      }
    }
  }
}

// Rounds in which each thread counts; after a barrier nobody may be a round behind.
TEST(Block, HoldsEveryLaneAtTheBarrierOfTheBlock) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::array<int, 128> rounds{};
    int wrong = 0;
    const RunReport report = run_lanes<128>(
        [&rounds, &wrong] {
          for (int round = 1; round <= 5; ++round) {
            rounds[static_cast<std::size_t>(thread_index())] = round;
            sync_block();
            for (const int other : rounds) wrong += other != round;
            sync_block();
          }
        },
        {.schedule_seed = seed});
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(report.clean()) << text_of(report);
  }
}

TEST(Block, HoldsTheLanesOfAWarpAtItsBarrier) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::array<int, 64> rounds{};
    int wrong = 0;
    const RunReport report = run_lanes(
        [&rounds, &wrong] {
          for (int round = 1; round <= 5; ++round) {
            rounds[static_cast<std::size_t>(thread_index())] = round;
            sync_warp();
            for (int lane = 0; lane < 32; ++lane) {
              wrong += rounds[static_cast<std::size_t>(warp_index() * 32 + lane)] != round;
            }
            sync_warp();
          }
        },
        {.schedule_seed = seed});
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(report.clean()) << text_of(report);
  }
}

std::vector<int> order_of_lanes(std::uint64_t seed) {
  std::vector<int> order;
  const RunReport report = run_lanes(
      [&order] {
        sync_block();
        order.push_back(thread_index());
      },
      {.schedule_seed = seed});
  EXPECT_TRUE(report.clean());
  return order;
}

TEST(Block, RunsLanesInTheOrderThatTheSeedDraws) {
  std::vector<int> by_number(64);
  for (int thread = 0; thread < 64; ++thread) by_number[static_cast<std::size_t>(thread)] = thread;
  EXPECT_EQ(order_of_lanes(0), by_number);
  std::set<std::vector<int>> orders;
  std::set<int> first;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto order = order_of_lanes(seed);
    EXPECT_EQ(order, order_of_lanes(seed));
    EXPECT_TRUE(std::ranges::is_permutation(order, by_number));
    orders.insert(order);
    first.insert(order.front() / 32);
  }
  EXPECT_EQ(orders.size(), 20u);
  EXPECT_EQ(first.size(), 2u);  // either warp may be the first
}

// A warp that waits only for itself is overtaken now and then, or a barrier that is missing between
// two warps would never show in a result.
TEST(Block, LetsWarpsOvertakeEachOther) {
  int overtaken = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::array<int, 2> step{};
    (void)run_lanes(
        [&] {
          for (int i = 0; i < 20; ++i) {
            sync_warp();
            if (lane_index() == 0) ++step[static_cast<std::size_t>(warp_index())];
            if (step[0] > 0 && step[0] < 20 && step[1] > 0 && step[1] < 20) ++overtaken;
          }
        },
        {.schedule_seed = seed});
  }
  EXPECT_GT(overtaken, 0);
}

TEST(Block, GivesEveryBlockItsOwnPlace) {
  std::set<std::array<int, 3>> places;
  (void)run_lanes<32>(
      [&places] {
        const auto [x, y, z] = block_index();
        if (lane_index() == 0) places.insert({x, y, z});
      },
      {}, {3, 4, 5});
  EXPECT_EQ(places.size(), 60u);
  EXPECT_EQ(*places.rbegin(), (std::array{2, 3, 4}));
}

TEST(Block, LetsALaneLaunchAKernelOfItsOwn) {
  int inner = 0, outer = 0;
  const RunReport report = run_lanes([&] {
    if (thread_index() == 3) (void)run_lanes([&inner] { inner += thread_index(); });
    sync_block();
    outer += thread_index();
  });
  EXPECT_TRUE(report.clean()) << text_of(report);
  EXPECT_EQ(inner, 63 * 64 / 2);
  EXPECT_EQ(outer, 63 * 64 / 2);
}

}  // namespace
}  // namespace attest::block_test
