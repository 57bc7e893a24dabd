// Goal: planned cases bring all pairs of features together within the cases of the smoke tier, and
// all but one triple in a thousand within those of the standard tier, whatever the seed, and cost
// about what others do.
#include "properties/covering/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "properties/covering/cells.hpp"
#include "properties/draw.hpp"
#include "properties/drawn_shape.hpp"
#include "properties/family.hpp"
#include "properties/shape_class.hpp"

namespace attest::plan_test {
namespace {

constexpr std::uint64_t kSeeds[] = {1, 2, 20260101};

std::vector<Case> planned_cases(std::uint64_t seed, Pass pass, int strength, Index count) {
  const std::vector<Wish> wishes = covering_plan(seed, pass, strength, count);
  std::vector<Case> cases;
  for (std::size_t n = 0; n < wishes.size(); ++n) cases.push_back(draw(seed, n, pass, wishes[n]));
  return cases;
}

double share_met(const std::vector<Case>& cases, Pass pass, int strength) {
  Cells cells(pass, strength);
  for (const Case& c : cases) cells.meet(features_of(c));
  return static_cast<double>(cells.met()) / static_cast<double>(cells.total());
}

TEST(CoveringPlan, BeginsALongerOneOfTheSameSeed) {
  const auto shorter = covering_plan(5, Pass::bwd, 3, 60);
  auto longer = covering_plan(5, Pass::bwd, 3, 130);
  EXPECT_NE(covering_plan(6, Pass::bwd, 3, 60), shorter);
  longer.resize(60);
  EXPECT_EQ(longer, shorter);
  EXPECT_TRUE(covering_plan(5, Pass::fwd, 2, 0).empty());
}

TEST(CoveringPlan, BringsAllPairsIntoASmokeTier) {
  for (const std::uint64_t seed : kSeeds) {
    EXPECT_EQ(share_met(planned_cases(seed, Pass::fwd, 2, 528), Pass::fwd, 2), 1) << seed;
    EXPECT_EQ(share_met(planned_cases(seed, Pass::bwd, 2, 300), Pass::bwd, 2), 1) << seed;
  }
}

TEST(CoveringPlan, BringsTriplesIntoAStandardTierThatChanceWouldNot) {
  for (const std::uint64_t seed : kSeeds) {
    const double forward = share_met(planned_cases(seed, Pass::fwd, 3, 2288), Pass::fwd, 3);
    const double backward = share_met(planned_cases(seed, Pass::bwd, 3, 1300), Pass::bwd, 3);
    std::cout << "triples: forward " << forward << ", backward " << backward << "\n";
    EXPECT_GE(forward, 0.999) << seed;
    EXPECT_GE(backward, 0.999) << seed;
  }
  std::vector<Case> by_chance;
  for (std::uint64_t index = 0; index < 2288; ++index) by_chance.push_back(draw(1, index));
  EXPECT_LE(share_met(by_chance, Pass::fwd, 3), 0.95);
}

// Families and formats rotate as they do without a plan; one round in four is as it is without.
TEST(CoveringPlan, LeavesFormatsFamiliesAndAQuarterOfTheRoundsAlone) {
  const std::uint64_t round = 2 * families_of(Pass::fwd).size();
  const auto cases = planned_cases(1, Pass::fwd, 3, 528);
  std::uint64_t alone = 0;
  for (std::uint64_t index = 0; index < cases.size(); ++index) {
    const Case by_chance = draw(1, index);
    EXPECT_EQ(cases[index].problem.in, by_chance.problem.in);
    EXPECT_EQ(std::get<FamilyData>(cases[index].data).family,
              std::get<FamilyData>(by_chance.data).family);
    alone += cases[index] == by_chance;
  }
  EXPECT_GE(alone, 2 * round);
}

TEST(CoveringPlan, CostsLittleMoreThanChance) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (const std::uint64_t seed : kSeeds) {
      double planned = 0;
      double by_chance = 0;
      const auto cases = planned_cases(seed, pass, 3, 528);
      for (std::uint64_t index = 0; index < cases.size(); ++index) {
        planned += static_cast<double>(work_of(cases[index].problem));
        by_chance += static_cast<double>(work_of(draw(seed, index, pass).problem));
      }
      EXPECT_LE(planned, 1.25 * by_chance) << seed;
    }
  }
}

TEST(CoveringPlan, ReachesEveryShapeClassInASmokeTierOfEachPass) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (const std::uint64_t seed : kSeeds) {
      const auto cases = planned_cases(seed, pass, 2, pass == Pass::fwd ? 528 : 300);
      for (const ShapeClass& shape : shape_classes()) {
        const auto count =
            std::ranges::count_if(cases, [&](const Case& c) { return shape.holds(c.problem); });
        EXPECT_GE(count, pass == Pass::fwd ? 12 : 4) << shape.name << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace attest::plan_test
