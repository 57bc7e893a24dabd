// Goal: every pair of lines by which two blocks of a launch race is found, and no other.
#include "kernels/machine/launch_races.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

namespace attest::launch_races_test {
namespace {

// Lines to tell apart: two for each of reading, writing, adding.
const Where kLines[] = {
    Where::current(), Where::current(), Where::current(),
    Where::current(), Where::current(), Where::current(),
};
// clang-format may not join them.
static_assert(std::size(kLines) == 6);

using Pair = std::pair<unsigned, unsigned>;
Pair pair_of(Where a, Where b) { return std::minmax(a.line(), b.line()); }

enum class Act { read, write, add };
struct Touch {
  Act act;
  Where where;
};

std::vector<Touch> touches_of(const TouchedRun& run) {
  std::vector<Touch> touches;
  if (is_somewhere(run.read)) touches.push_back({Act::read, run.read});
  if (is_somewhere(run.written)) touches.push_back({Act::write, run.written});
  if (is_somewhere(run.added)) touches.push_back({Act::add, run.added});
  return touches;
}

// By the definition: element after element, block against block.
std::set<Pair> races_by_definition(const std::vector<TouchedRun>& runs) {
  std::set<Pair> races;
  for (const TouchedRun& a : runs) {
    for (const TouchedRun& b : runs) {
      const bool overlap = a.first < b.first + b.count && b.first < a.first + a.count;
      if (a.block == b.block || !overlap) continue;
      for (const Touch& x : touches_of(a)) {
        for (const Touch& y : touches_of(b)) {
          const bool fine = x.act == y.act && x.act != Act::write;
          if (!fine) races.insert(pair_of(x.where, y.where));
        }
      }
    }
  }
  return races;
}

std::set<Pair> races_found(std::vector<TouchedRun> runs) {
  std::vector<Finding> findings;
  add_races_between_blocks(runs, "x", findings);
  std::set<Pair> races;
  for (const Finding& f : findings) races.insert(pair_of(f.where, f.other_where));
  return races;
}

std::vector<TouchedRun> random_runs(std::mt19937& engine) {
  const auto below = [&engine](int n) {
    return static_cast<int>(engine() % static_cast<unsigned>(n));
  };
  std::vector<TouchedRun> runs;
  const bool writes = below(2) == 0, adds = below(3) == 0;
  const auto line = [&](int act) { return below(3) == 0 ? kLines[2 * act + below(2)] : Where{}; };
  for (int n = 2 + below(6); n > 0; --n) {
    TouchedRun run{below(40), 1 + below(6), 0, below(4), {}, {}, {}};
    run.read = line(0);
    if (writes) run.written = line(1);
    if (adds) run.added = line(2);
    if (!touches_of(run).empty()) runs.push_back(run);
  }
  return runs;
}

TEST(LaunchRaces, AreThoseOfTheDefinition) {
  std::mt19937 engine(11);
  int racing = 0, clean = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<TouchedRun> runs = random_runs(engine);
    const auto found = races_found(runs);
    ASSERT_EQ(found, races_by_definition(runs)) << "round " << round;
    ++(found.empty() ? clean : racing);
    std::ranges::shuffle(runs, engine);
    ASSERT_EQ(found, races_found(runs)) << "round " << round << ", in another order";
  }
  EXPECT_GT(racing, 2'000);
  EXPECT_GT(clean, 2'000);
}

TEST(LaunchRaces, NameBlocksElementAndTensor) {
  std::vector<TouchedRun> runs = {{0, 10, 0, 1, {}, kLines[2], {}},
                                  {7, 10, 0, 5, kLines[0], {}, {}}};
  std::vector<Finding> findings;
  add_races_between_blocks(runs, "scores", findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].text,
            "block 5 reads what block 1 writes in the same launch, element 7 of scores");
}

}  // namespace
}  // namespace attest::launch_races_test
