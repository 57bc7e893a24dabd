// Goal: a few words a cell convict exactly as the full history of the cell does.
#include "kernels/machine/access_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace attest::access_history_test {
namespace {

struct Access {
  Toucher who;
  bool write;
};

bool conflict(const Access& a, const Access& b) {
  const bool same_warp = a.who.thread / 32 == b.who.thread / 32;
  return (a.write || b.write) && a.who.thread != b.who.thread && a.who.interval == b.who.interval &&
         (!same_warp || a.who.step == b.who.step);
}

// Three warps of three lanes touch one cell; returns 1 if the interval ended with a conviction, and
// -1 if history and conviction disagree.
int run_interval(AccessHistory& cell, std::mt19937& engine, std::uint32_t& clock) {
  const std::uint32_t interval = ++clock;
  std::uint32_t step[] = {interval, interval, interval};
  const auto below = [&engine](unsigned n) { return static_cast<unsigned>(engine() % n); };
  std::vector<Access> past;
  const unsigned write_one_in = 2 + below(6);
  for (int i = 0; i < 8; ++i) {
    const unsigned warp = below(3);
    if (below(3) == 0) step[warp] = ++clock;
    const int thread = static_cast<int>(warp * 32 + below(3));
    const Access now{{thread, interval, step[warp]}, below(write_one_in) == 0};
    const bool guilty =
        std::ranges::any_of(past, [&](const Access& before) { return conflict(before, now); });
    const bool convicted =
        now.write ? cell.on_write(now.who, {}).has_value() : cell.on_read(now.who, {}).has_value();
    if (convicted != guilty) return -1;
    if (guilty) return 1;  // exact up to the first race
    past.push_back(now);
  }
  return 0;
}

TEST(AccessHistory, ConvictsExactlyAsAFullHistoryDoes) {
  std::mt19937 engine(5);
  int convicted = 0, clean = 0;
  for (int history = 0; history < 70'000; ++history) {
    AccessHistory cell;
    std::uint32_t clock = 0;
    for (int interval = 0; interval < 3; ++interval) {
      const int outcome = run_interval(cell, engine, clock);
      ASSERT_GE(outcome, 0) << "history " << history << ", interval " << interval;
      ++(outcome == 1 ? convicted : clean);
    }
  }
  EXPECT_GT(convicted, 10'000);
  EXPECT_GT(clean, 10'000);
}

TEST(AccessHistory, NamesTheOtherLaneOfARace) {
  AccessHistory cell;
  const Where written = Where::current();
  ASSERT_FALSE(cell.on_write({3, 1, 1}, written));
  const Where read = Where::current();
  const auto conviction = cell.on_read({40, 1, 1}, read);
  ASSERT_TRUE(conviction);
  EXPECT_EQ(conviction->charge, Conviction::Charge::read_after_write);
  EXPECT_EQ(conviction->other_thread, 3);
  EXPECT_TRUE(same_line(conviction->other_where, written));
  const auto overwritten = cell.on_write({70, 1, 1}, Where::current());
  ASSERT_TRUE(overwritten);
  EXPECT_EQ(overwritten->charge, Conviction::Charge::write_after_read);
  EXPECT_EQ(overwritten->other_thread / 32, 1);
  EXPECT_TRUE(same_line(overwritten->other_where, read));
}

TEST(AccessHistory, AsksForConflictsWithoutKeepingThem) {
  AccessHistory cell;
  EXPECT_FALSE(cell.conflict_of_write({0, 1, 1}));
  EXPECT_FALSE(cell.was_written_since(1));
  ASSERT_FALSE(cell.on_read({1, 1, 1}, Where::current()));
  EXPECT_TRUE(cell.conflict_of_write({0, 1, 1}));
  EXPECT_FALSE(cell.conflict_of_write({1, 1, 1}));  // its own read
  EXPECT_FALSE(cell.conflict_of_write({0, 2, 2}));  // behind a barrier of the block
  EXPECT_FALSE(cell.conflict_of_write({0, 1, 2}));  // behind one of the warp
  EXPECT_TRUE(cell.conflict_of_write({40, 1, 2}));  // which orders no other warp
}

TEST(AccessHistory, TellsWritesSinceATick) {
  AccessHistory cell;
  EXPECT_FALSE(cell.was_written_since(1));
  ASSERT_FALSE(cell.on_write({0, 7, 7}, Where::current()));
  EXPECT_TRUE(cell.was_written_since(7));
  EXPECT_FALSE(cell.was_written_since(8));
}

}  // namespace
}  // namespace attest::access_history_test
