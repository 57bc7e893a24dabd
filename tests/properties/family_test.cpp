// Goal: every family is a pure function of seed and coordinates: the same values whenever asked, no
// other values on a smaller shape, never an infinity nor, but for F23, a NaN, in every input
// format.
#include "properties/family.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "properties/families/values.hpp"
#include "tests/core/refusal.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::family_test {
namespace {

Problem many_headed(Format format, Index size) {
  Problem p = open_problem(format, 3 * size, 5 * size, 2 * size);
  p.batch = 2;
  p.heads_q = 4;
  p.heads_k = 2;
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  return p;
}

bool is_crop(const Tensor& small, const Tensor& large) {
  const auto [batch, heads, rows, columns] = small.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          if (small.view().bits(b, h, row, column) != large.view().bits(b, h, row, column)) {
            return false;
          }
        }
      }
    }
  }
  return true;
}

// Every element, as binary64.
template <class Holds>
bool all_of(const Tensor& tensor, Holds holds) {
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index at = 0; at < tensor.size(); ++at) {
    const Index column = at % columns;
    const Index row = at / columns % rows;
    const Index h = at / columns / rows % heads;
    if (!holds(tensor.view().value(at / columns / rows / heads, h, row, column))) return false;
  }
  return true;
}

TEST(Family, TableHoldsTwentyFiveDistinctNames) {
  std::set<std::string_view> names;
  for (const Family& family : families()) {
    names.insert(family.name);
    EXPECT_FALSE(family.title.empty()) << family.name;
    EXPECT_FALSE(family.targets.empty()) << family.name;
    EXPECT_EQ(&family_named(family.name), &family);
  }
  EXPECT_EQ(names.size(), 25u);
  EXPECT_EQ(names.size(), families().size());
}

TEST(Family, OfGradientsAloneIsDrawnForTheBackwardOnly) {
  const auto names = [](Pass pass) {
    std::set<std::string_view> drawn;
    for (const Family* family : families_of(pass)) drawn.insert(family->name);
    return drawn;
  };
  EXPECT_EQ(names(Pass::bwd).size(), families().size());
  std::set<std::string_view> alone = names(Pass::bwd);
  for (const std::string_view name : names(Pass::fwd)) alone.erase(name);
  EXPECT_EQ(alone, (std::set<std::string_view>{"F8", "F12", "F13"}));
}

TEST(Family, RefusesAnUnknownNameAndListsTheKnownOnes) {
  const Refusal refusal = refusal_of([] { (void)family_named("F99"); });
  EXPECT_EQ(refusal.blame, Blame::usage);
  EXPECT_TRUE(refusal.says("F99")) << refusal.message;
  EXPECT_TRUE(refusal.says("F0, F1, F2")) << refusal.message;
}

TEST(Family, FloorsStandWhereTheIssueAsksForThem) {
  const std::pair<const char*, double> floors[] = {
      {"F0", 0.15}, {"F1", 0.3}, {"F22", 0.25}, {"F2", 0.3}, {"F3", 0.15},
      {"F6", 0.04}, {"F5", 0},   {"F9", 0},     {"F16", 0},  {"F23", 0}};
  for (const auto& [name, floor] : floors) {
    EXPECT_EQ(family_named(name).least_o_ratio, floor) << name;
    EXPECT_EQ(family_named(name).least_lse_ratio, floor > 0 ? 0.02 : 0) << name;
  }
}

TEST(FamilyLaw, SameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  const Problem p = many_headed(Format::f16, 4);
  for (const Family& family : families()) {
    const std::string name(family.name);
    EXPECT_EQ(values_of(name, p, 7), values_of(name, p, 7)) << name;
    EXPECT_NE(values_of(name, p, 7), values_of(name, p, 8)) << name;
  }
}

TEST(FamilyLaw, ASmallerProblemHoldsTheSameValues) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const Problem large = many_headed(format, 9);
    Problem small = many_headed(format, 4);
    small.batch = 1;
    small.heads_q = 3;
    small.heads_k = 1;
    small.scale = 0.5f;
    small.right = 0;
    small.lk = {3};
    for (const Family& family : families()) {
      for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const std::string name(family.name);
        const Inputs of_large = values_of(name, large, seed);
        const Inputs of_small = values_of(name, small, seed);
        EXPECT_TRUE(is_crop(of_small.q, of_large.q)) << name;
        EXPECT_TRUE(is_crop(of_small.k, of_large.k)) << name;
        EXPECT_TRUE(is_crop(of_small.v, of_large.v)) << name;
        EXPECT_TRUE(is_crop(of_small.dout, of_large.dout)) << name;
        EXPECT_TRUE(is_crop(of_small.glse, of_large.glse)) << name;
      }
    }
  }
}

TEST(FamilyLaw, ValuesAreFiniteInEveryFormatButForTheNansOfOne) {
  for (const Format format : kFormats) {
    const Problem p = many_headed(format, 12);
    for (const Family& family : families()) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Inputs inputs = values_of(std::string(family.name), p, seed);
        const bool nans = family.name == "F23";
        const auto right = [=](double x) { return std::isfinite(x) || (nans && std::isnan(x)); };
        for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v}) {
          EXPECT_TRUE(all_of(*tensor, right)) << family.name << " seed " << seed;
        }
        for (const Tensor* tensor : {&inputs.dout, &inputs.glse}) {
          EXPECT_TRUE(all_of(*tensor, [](double x) { return std::isfinite(x); }))
              << family.name << " seed " << seed;
        }
      }
    }
  }
}

TEST(FamilyLaw, AdaptedProblemsAreWellFormed) {
  Problem p = many_headed(Format::f16, 3);
  p.lq = {4, 9};
  p.lk = {15, 0};
  for (const Family& family : families()) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      EXPECT_EQ(defect_of(family.adapt(p, seed)), "") << family.name << " seed " << seed;
    }
  }
}

TEST(FamilyValues, SteadyWeightsSumToTheRootOfTheirNumber) {
  double sum = 0;
  for (std::uint32_t column = 0; column < 256; ++column) {
    sum += steady_weight(column);
    EXPECT_NEAR(sum, std::sqrt(column + 1.0), 0x1p-9 * std::sqrt(column + 1.0));
  }
}

TEST(FamilyValues, StructuredValuesHaveTheSameValueInBothFormats) {
  for (const char* name : {"F3", "F7", "F9", "F16", "F21"}) {
    const Inputs half = values_of(name, open_problem(Format::f16, 20, 60, 16), 5);
    const Inputs brain = values_of(name, open_problem(Format::bf16, 20, 60, 16), 5);
    for (Index row = 0; row < 20; ++row) {
      for (Index column = 0; column < 16; ++column) {
        EXPECT_EQ(half.q.view().value(0, 0, row, column), brain.q.view().value(0, 0, row, column))
            << name;
        EXPECT_EQ(half.k.view().value(0, 0, row, column), brain.k.view().value(0, 0, row, column))
            << name;
      }
    }
  }
}

}  // namespace
}  // namespace attest::family_test
