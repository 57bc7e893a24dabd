// Goal: the formulas give, byte for byte, what the emulator counts of every kernel and shape.
#include <gtest/gtest.h>

#include <set>

#include "kernels/attention/dispatch.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/tile_plan.hpp"
#include "kernels/attention/tiled.hpp"
#include "properties/execution.hpp"
#include "tests/kernels/runs.hpp"
#include "tests/traffic/shapes.hpp"
#include "traffic/forward_traffic.hpp"
#include "traffic/traffic_formulas.hpp"
#include "traffic/work.hpp"

namespace attest::kernel_traffic_test {
namespace {

std::string text_of(const MemoryUse& use) {
  std::string text;
  for (const auto& [tensor, traffic] : use.traffic) {
    text += tensor + " r" + std::to_string(traffic.bytes_read) + " w" +
            std::to_string(traffic.bytes_written) + ", ";
  }
  return text + "scratch " + std::to_string(use.scratch_bytes) + ", on chip " +
         std::to_string(use.shared_bytes);
}

void expect_agreement(const std::optional<MemoryUse>& counted, const MemoryUse& formula) {
  ASSERT_TRUE(counted.has_value());
  EXPECT_TRUE(agree(*counted, formula))
      << "counted " << text_of(*counted) << "\nformula " << text_of(formula);
}

constexpr Unit kUnit = Unit::exact_rn;

PassMemory counted(const Subject& subject, const Problem& p) {
  RunSettings settings;
  settings.unit = kUnit;
  settings.watch = false;
  const Execution run = execute(subject, p, gaussian_inputs(p, 5), settings);
  EXPECT_EQ(run.outcome.kind, RunOutcome::Kind::ran) << run.outcome.detail;
  return run.memory;
}

// How many problems of this pass were taken, by the first subject of each formula that takes any.
int expect_agreement(const std::vector<DescribedSubject>& subjects, Pass pass) {
  int taken = 0;
  std::set<const TrafficFormula*> met;
  for (const DescribedSubject& each : subjects) {
    const TrafficFormula* formula = traffic_formula_of(each.subject->name());
    if (formula == nullptr) ADD_FAILURE() << "no formula for " << each.subject->name();
    if (formula == nullptr || met.contains(formula)) continue;
    for (const Problem& p : traffic_shapes(pass)) {
      if (each.subject->unsupported(p, kUnit)) continue;
      SCOPED_TRACE(each.subject->name() + " " + to_string(p));
      const PassMemory memory = counted(*each.subject, p);
      expect_agreement(memory.forward, formula->forward(p));
      if (pass == Pass::bwd) {
        EXPECT_NE(formula->backward, nullptr) << each.subject->name();
        if (formula->backward != nullptr) expect_agreement(memory.backward, formula->backward(p));
      }
      met.insert(formula);
      ++taken;
    }
  }
  return taken;
}

TEST(KernelTraffic, OfTiledForwardsIsWhatTheEmulatorCounts) {
  EXPECT_EQ(expect_agreement(tiled_subjects(), Pass::fwd), 5 * 15);
}

TEST(KernelTraffic, OfTiledBackwardsIsWhatTheEmulatorCounts) {
  EXPECT_EQ(expect_agreement(tiled_subjects(), Pass::bwd), 3 * 15);
}

TEST(KernelTraffic, OfMaterialisingIsWhatTheEmulatorCounts) {
  EXPECT_EQ(expect_agreement(materialising_subjects(), Pass::fwd), 2 * 15);
}

TEST(KernelTraffic, OfSplitKeysIsWhatTheEmulatorCounts) {
  EXPECT_EQ(expect_agreement(split_subjects(), Pass::fwd), 3 * 15 + 3);
}

TEST(KernelTraffic, OfADispatchedKernelIsThatOfTheOneChosen) {
  std::vector<DescribedSubject> one;
  one.push_back(dispatched_subject());
  EXPECT_EQ(expect_agreement(one, Pass::fwd), 15);
  EXPECT_EQ(expect_agreement(one, Pass::bwd), 15);
}

TEST(KernelTraffic, KnowsTheTilesThatForwardsTake) {
  for (const int d : {1, 64, 65, 128, 129, 256}) {
    const TilePlan plan = plan_for(padded_head_dim(d), 4, 64);
    EXPECT_EQ(kUsualTiles.of(d).queries, plan.queries()) << d;
    EXPECT_EQ(kUsualTiles.of(d).keys, plan.keys) << d;
  }
  EXPECT_EQ(kOnChipBudget, kSharedBudget);
}

// A healthy kernel and the one that spills differ in nothing but the scores' trip.
TEST(KernelTraffic, ShowsAKernelThatSpillsP) {
  const Problem p = traffic_shapes(Pass::fwd).front();
  MemoryUse spilled = tiled_forward_traffic(p, kUsualTiles);
  const Index bytes = p.n_q * p.n_k * 2;
  spilled.traffic.push_back({"p", {bytes, bytes}});
  spilled.scratch_bytes = bytes;
  expect_agreement(counted(*tiled_canaries().front().subject, p).forward, spilled);
}

}  // namespace
}  // namespace attest::kernel_traffic_test
