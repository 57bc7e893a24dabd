// Goal: lanes that part ways are reported, whatever the schedule.
#include <gtest/gtest.h>

#include "tests/kernels/machine/lanes.hpp"

namespace attest::divergence_test {
namespace {

using test::only_finding;
using test::run_lanes;
using test::text_of;
using Kind = Finding::Kind;

constexpr std::uint64_t kSeeds = 12;

// Under each of some schedules.
template <class Body>
void expect_divergence(Body body) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RunReport report = run_lanes(body, {.schedule_seed = seed});
    ASSERT_FALSE(report.clean()) << "seed " << seed;
    for (const Finding& finding : report.findings) {
      EXPECT_EQ(finding.kind, Kind::divergence) << describe(finding);
      EXPECT_TRUE(
          describe(finding).starts_with("divergence at tests/kernels/machine/divergence_test.cpp:"))
          << describe(finding);
    }
  }
}

template <class Body>
void expect_clean(Body body) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RunReport report = run_lanes(body, {.schedule_seed = seed});
    EXPECT_TRUE(report.clean()) << "seed " << seed << "\n" << text_of(report);
  }
}

TEST(Divergence, IsNotAnEarlyReturnBeforeABarrier) {
  expect_clean([] {
    if (thread_index() >= 40) return;
    sync_block();  // CUDA waits for the lanes that have not ended
    sync_block();
  });
}

TEST(Divergence, IsNotAWarpThatReturnsBeforeABarrier) {
  expect_clean([] {
    if (warp_index() == 1) return;
    (void)shuffle_xor(1.0f, 1);
    sync_block();
    (void)shuffle_xor(1.0f, 2);
  });
}

TEST(Divergence, IsNotTheSameCollectiveAtDifferentTimes) {
  expect_clean([] {
    for (int i = 0; i < 3 + warp_index(); ++i) (void)shuffle_xor(1.0f, 1);
    sync_block();
  });
}

TEST(Divergence, IsAShuffleInABranch) {
  expect_divergence([] {
    if (lane_index() < 16) (void)shuffle_xor(1.0f, 1);
  });
}

TEST(Divergence, IsAShuffleInABranchBeforeABarrier) {
  expect_divergence([] {
    if (lane_index() % 2 == 0) (void)shuffle_xor(1.0f, 1);
    sync_block();
  });
}

TEST(Divergence, IsADifferentShuffleInEachBranch) {
  expect_divergence([] {
    if (lane_index() < 16) {
      (void)shuffle_xor(1.0f, 1);
    } else {
      (void)shuffle_xor(2.0f, 1);
    }
  });
}

TEST(Divergence, IsADifferentShuffleOnOneLine) {
  expect_divergence([] { (void)(lane_index() < 16 ? shuffle_xor(1, 1) : shuffle_xor(2, 1)); });
}

// Their operands differ in kind: to compute with them would read wild pointers.
TEST(Divergence, IsAShuffleThatMeetsATileProduct) {
  expect_divergence([] {
    FragmentC c{};
    if (lane_index() < 16) {
      mma_m16n8k16(c, FragmentA<Fp16>{}, FragmentB<Fp16>{});
    } else {
      (void)shuffle_xor(1.0f, 1);
    }
  });
}

TEST(Divergence, IsAShuffleThatMeetsAWarpBarrier) {
  expect_divergence([] {
    if (lane_index() == 31) {
      (void)shuffle_xor(1.0f, 1);
    } else {
      sync_warp();
    }
  });
}

TEST(Divergence, IsALaneAtTheBarrierWhileTheRestShuffles) {
  expect_divergence([] {
    if (lane_index() == 3) {
      sync_block();
    } else {
      (void)shuffle_xor(1.0f, 1);
    }
  });
}

TEST(Divergence, IsADifferentBarrierInEachWarp) {
  expect_divergence([] {
    if (warp_index() == 0) {
      sync_block();
    } else {
      sync_block();
    }
  });
}

TEST(Divergence, IsALoopOfUnequalLength) {
  expect_divergence([] {
    for (int i = 0; i < 3 + lane_index() % 2; ++i) sync_warp();
  });
}

TEST(Divergence, IsAnEarlyReturnBeforeAShuffle) {
  expect_divergence([] {
    if (lane_index() == 7) return;
    (void)shuffle_xor(1.0f, 1);
  });
}

TEST(Divergence, NamesBothPlaces) {
  Where shuffled, waited;
  const RunReport report = run_lanes<32>([&] {
    if (lane_index() == 3) {
      sync_block(waited = Where::current());
    } else {
      (void)shuffle_xor(1.0f, 1, shuffled = Where::current());
    }
  });
  ASSERT_TRUE(only_finding(report, Kind::divergence)) << text_of(report);
  EXPECT_TRUE(same_line(report.findings[0].where, shuffled));
  EXPECT_TRUE(same_line(report.findings[0].other_where, waited));
  EXPECT_NE(report.findings[0].text.find("31 lanes in a collective, 1 at a barrier, 0 have ended"),
            std::string::npos)
      << text_of(report);
}

TEST(Divergence, DestroysWhatLivesOnTheStacksOfStuckLanes) {
  int alive = 0;
  struct Counted {
    explicit Counted(int& count) : count_(count) { ++count_; }
    ~Counted() { --count_; }
    int& count_;
  };
  const auto body = [&alive] {
    const Counted counted(alive);
    if (lane_index() == 0) (void)shuffle_xor(1.0f, 1);
    sync_block();
  };
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    (void)run_lanes(body, {.schedule_seed = seed});
    EXPECT_EQ(alive, 0);
  }
}

TEST(Divergence, OfOneBlockLeavesTheOthersAlone) {
  std::vector<float> o(8, -1);
  Emulator emulator(Emulation{});
  const auto span = emulator.output("o", o.data(), 8);
  test::launch_lanes<32>(emulator,
                         [span] {
                           if (block_index().x == 3 && lane_index() < 16)
                             (void)shuffle_xor(1.0f, 1);
                           sync_warp();
                           if (lane_index() == 0) span.store(block_index().x, 1.0f);
                         },
                         {8});
  EXPECT_TRUE(only_finding(emulator.report(), Kind::divergence)) << text_of(emulator.report());
  for (int block = 0; block < 8; ++block) {
    EXPECT_EQ(o[static_cast<std::size_t>(block)], block == 3 ? -1 : 1);
  }
}

}  // namespace
}  // namespace attest::divergence_test
