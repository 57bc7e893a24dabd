// Goal: draw() is a pure function that reaches every family in both formats and every kind of shape
// often enough, at a cost that the oracle can pay. Materialised values are the family's or the
// literal's own.
#include "properties/draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "oracle/mask.hpp"
#include "properties/shape_class.hpp"
#include "tests/core/refusal.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::draw_test {
namespace {

constexpr std::uint64_t kCases = 420;
constexpr std::uint64_t kSeeds[] = {1, 2, 20260101};

const std::string& family_of(const Case& c) { return std::get<FamilyData>(c.data).family; }

// What the oracle's time is proportional to: an exponential costs about sixteen multiply-adds.
double multiply_adds(const Problem& p) {
  double live = 0;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index i = 0; i < p.n_q; ++i) {
      for (Index j = 0; j < p.n_k; ++j) live += is_live(p, b, i, j);
    }
  }
  return live * static_cast<double>(p.heads_q * (p.d_qk + p.d_v + 16));
}

TEST(Draw, GivesTheSameCaseAgainAndOtherCasesElsewhere) {
  std::set<std::string> texts;
  for (std::uint64_t index = 0; index < 100; ++index) {
    const Case c = draw(5, index);
    EXPECT_EQ(c, draw(5, index));
    texts.insert(to_string(c));
    texts.insert(to_string(draw(6, index)));
  }
  EXPECT_EQ(texts.size(), 200u);
}

TEST(Draw, CasesAreWellFormedAndSurviveTheirText) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (std::uint64_t index = 0; index < kCases; ++index) {
      const Case c = draw(3, index, pass);
      EXPECT_EQ(defect_of(c.problem), "");
      EXPECT_EQ(parse_case(to_string(c)), c);
    }
  }
}

TEST(Draw, AThirdOfBackwardCasesHasAGradientOfLseAndNoForwardCase) {
  for (const std::uint64_t seed : kSeeds) {
    std::uint64_t with = 0;
    for (std::uint64_t index = 0; index < kCases; ++index) {
      with += draw(seed, index, Pass::bwd).problem.lse_gradient;
      EXPECT_FALSE(draw(seed, index).problem.lse_gradient);
    }
    EXPECT_GE(with, kCases / 4);  // four standard deviations from a third
    EXPECT_LE(with, kCases * 5 / 12);
  }
}

TEST(Draw, ASmokeTiersBackwardCasesReachEveryShapeClass) {
  for (const std::uint64_t seed : kSeeds) {
    std::map<std::string_view, int> count;
    for (std::uint64_t index = 0; index < 136; ++index) {
      const Problem p = draw(seed, index, Pass::bwd).problem;
      for (const ShapeClass& shape : shape_classes()) count[shape.name] += shape.holds(p);
    }
    for (const ShapeClass& shape : shape_classes()) {
      EXPECT_GE(count[shape.name], 1) << shape.name << ", seed " << seed;
    }
  }
}

TEST(Draw, AnyTurnOfIndicesHoldsEachFamilyOfThePassOnceInEachFormat) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    const std::uint64_t turn = 2 * families_of(pass).size();
    for (const std::uint64_t first : {0u, 7u, 1001u}) {
      std::set<std::pair<std::string, Format>> seen;
      for (std::uint64_t index = first; index < first + turn; ++index) {
        const Case c = draw(9, index, pass);
        EXPECT_EQ(c.problem.pass, pass);
        seen.insert({family_of(c), c.problem.in});
      }
      EXPECT_EQ(seen.size(), turn);
    }
  }
}

TEST(Draw, FifteenRoundsHoldEachFamilyFifteenTimesInEachFormat) {
  std::map<std::pair<std::string, Format>, int> count;
  for (std::uint64_t index = 0; index < 15 * 2 * families_of(Pass::fwd).size(); ++index) {
    const Case c = draw(1, index);
    ++count[{family_of(c), c.problem.in}];
  }
  EXPECT_EQ(count.size(), 2 * families_of(Pass::fwd).size());
  for (const auto& [key, times] : count) EXPECT_GE(times, 15) << key.first;
}

TEST(Draw, FourHundredAndTwentyCasesReachEveryShapeClassTwelveTimes) {
  for (const std::uint64_t seed : kSeeds) {
    std::map<std::string_view, int> count;
    for (std::uint64_t index = 0; index < kCases; ++index) {
      const Problem p = draw(seed, index).problem;
      for (const ShapeClass& shape : shape_classes()) count[shape.name] += shape.holds(p);
    }
    for (const ShapeClass& shape : shape_classes()) {
      std::cout << shape.name << " " << count[shape.name] << "  ";
      EXPECT_GE(count[shape.name], 12) << shape.name << ", seed " << seed;
    }
    std::cout << "\n";
    EXPECT_GE(count["three_tiles"], 120) << "seed " << seed;
  }
}

// Tiles of a kernel whose accumulator bounds them: fewer keys for wider heads.
bool spans_three_wide_tiles(const Problem& p) {
  const Index dim = std::max(p.d_qk, p.d_v);
  const Index tile = dim > 128 ? 16 : dim > 64 ? 32 : 64;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index i = 0; i < p.live_queries(b); ++i) {
      Index first = 0;
      Index last = p.n_k - 1;
      while (first < p.n_k && !is_live(p, b, i, first)) ++first;
      while (last > first && !is_live(p, b, i, last)) --last;
      if (first < p.n_k && last / tile - first / tile >= 2) return true;
    }
  }
  return false;
}

TEST(Draw, EightyCasesHoldTenWhereARowSeesThreeTilesOf64Keys) {
  constexpr std::uint64_t kOneUnit = 80;  // of a run's cases, about what falls to each of five
  for (const std::uint64_t seed : kSeeds) {
    int count = 0;
    for (std::uint64_t index = 0; index < 5 * kOneUnit; ++index) {
      count += spans_three_wide_tiles(draw(seed, index).problem);
    }
    std::cout << "three wide tiles: " << count << "\n";
    EXPECT_GE(count, 5 * 10) << "seed " << seed;
  }
}

TEST(Draw, DimensionsTakeTheUsualAndTheOddValues) {
  std::set<Index> dims;
  std::set<std::pair<Index, Index>> heads;
  std::set<Format> wide;
  int scales = 0;
  for (std::uint64_t index = 0; index < kCases; ++index) {
    const Problem p = draw(1, index).problem;
    dims.insert(p.d_v);
    heads.insert({p.heads_q, p.heads_k});
    if (p.out != p.in) wide.insert(p.out);
    scales += p.scale != default_scale(p.d_qk);
    EXPECT_LE(std::max(p.d_qk, p.d_v), 256);
  }
  for (const Index d : {1, 8, 16, 40, 64, 128, 256}) EXPECT_TRUE(dims.contains(d)) << d;
  EXPECT_TRUE(heads.contains({6, 2}) && heads.contains({4, 1}) && heads.contains({3, 1}));
  EXPECT_EQ(wide, std::set{Format::f32});
  EXPECT_GE(scales, 40);
  EXPECT_LE(scales, 120);
}

// There have to be many, so that most are small; a few have several tiles of queries and of keys.
TEST(Draw, MakesMostCasesSmallAndSomeOfManyTiles) {
  for (const Pass pass : {Pass::fwd, Pass::bwd}) {
    for (const std::uint64_t seed : kSeeds) {
      double sum = 0;
      double most = 0;
      int many_tiles = 0;
      for (std::uint64_t index = 0; index < 2 * kCases; ++index) {
        const Problem p = draw(seed, index, pass).problem;
        sum += multiply_adds(p);
        most = std::max(most, multiply_adds(p));
        many_tiles += p.n_q > 64 && p.n_k > 64;
      }
      EXPECT_LE(sum / (2 * kCases), 1.2e5);
      EXPECT_LE(most, 2.5e6);
      EXPECT_GE(many_tiles, kCases / 50);
    }
  }
}

TEST(Materialise, MakesDoutAndTheGradientOfLseWhereTheProblemHasThem) {
  Problem p = open_problem(Format::bf16, 3, 4, 2);
  EXPECT_EQ(values_of("F0", p, 1).dout.size(), 0);
  const Inputs forward = values_of("F0", p, 1);
  p.pass = Pass::bwd;
  const Inputs without = values_of("F0", p, 1);
  EXPECT_EQ(without.dout.extents(), p.o_extents());
  EXPECT_EQ(without.dout.format(), p.in);
  EXPECT_EQ(without.glse.size(), 0);
  p.lse_gradient = true;
  const Inputs with = values_of("F0", p, 1);
  EXPECT_EQ(with.glse.extents(), p.lse_extents());
  EXPECT_EQ(with.glse.format(), Format::f32);
  EXPECT_EQ(with.dout, without.dout);  // nor does one tensor's presence change another's values
  EXPECT_EQ(with.q, forward.q);
  EXPECT_EQ(with.v, forward.v);
}

TEST(Materialise, GivesALiteralBackBitForBit) {
  const Problem p = open_problem(Format::f16, 2, 3, 4);
  const Inputs inputs = values_of("F0", p, 1);
  EXPECT_EQ(materialise({p, inputs}), inputs);
}

TEST(Materialise, RefusesAFamilyThatNobodyKnows) {
  const Case c{open_problem(Format::f16, 2, 3, 4), FamilyData{"F99", 1}};
  const Refusal refusal = refusal_of([&] { (void)materialise(c); });
  EXPECT_EQ(refusal.blame, Blame::usage);
  EXPECT_TRUE(refusal.says("F99")) << refusal.message;
}

TEST(MaterialiseDeathTest, DoesNotReadFiles) {
  const Case c{open_problem(Format::f16, 1, 1, 1), FileData{std::string(64, '0')}};
  EXPECT_DEATH((void)materialise(c), "FileData");
}

}  // namespace
}  // namespace attest::draw_test
