// Goal: each family reaches what its comment claims, computed here in binary64 from the bits that a
// subject would get. A family that misses its target would leave a fault class untested in silence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/mask.hpp"
#include "properties/shape_class.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::family_reach_test {
namespace {

struct Range {
  double least = INFINITY;
  double most = -INFINITY;
  void add(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
};

Range scores_of(const Problem& p, const Inputs& inputs) {
  Range range;
  for (Index i = 0; i < p.n_q; ++i) {
    for (Index j = 0; j < p.n_k; ++j) range.add(scaled_score(p, inputs, i, j));
  }
  return range;
}

Range values_in(const Tensor& tensor) {
  Range range;
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) {
      range.add(tensor.view().value(0, 0, row, column));
    }
  }
  return range;
}

constexpr Format kStored[] = {Format::f16, Format::bf16};

TEST(FamilyReach, LargeSpreadSpansFiftyToFiveHundred) {
  Range spans;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem p = open_problem(Format::f16, 32, 64, 64);
    const Range s = scores_of(p, values_of("F1", p, seed));
    EXPECT_LT(s.least, -40);
    EXPECT_GT(s.most, 40);
    spans.add(std::max(-s.least, s.most));
  }
  EXPECT_LT(spans.least, 80);
  EXPECT_GT(spans.most, 350);
  EXPECT_LT(spans.most, 700);
}

TEST(FamilyReach, TiesRepeatKeysUnderVOfOneSign) {
  bool long_seen = false;
  bool short_seen = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem drawn = open_problem(Format::f16, 8, 40, 16);
    const Problem p = family_named("F2").adapt(drawn, seed);
    const Inputs inputs = values_of("F2", p, seed);
    const Range v = values_in(inputs.v);
    if (p.n_k == 1024) {
      long_seen = true;
      const Range s = scores_of(p, inputs);
      EXPECT_LE(s.most - s.least, 20);  // rows differ, keys do not:
      EXPECT_EQ(scaled_score(p, inputs, 0, 0), scaled_score(p, inputs, 0, 1023));
      EXPECT_GE(std::min(std::fabs(v.least), std::fabs(v.most)), 96);
      EXPECT_LE(std::max(std::fabs(v.least), std::fabs(v.most)), 104);
      EXPECT_GT(v.least * v.most, 0);
    } else {
      short_seen = true;
      EXPECT_GE(v.least, -2);
      EXPECT_LE(v.most, -1);
      for (Index j = 28; j < p.n_k; ++j) {  // periods 1, 2, 4 and 7 all divide 28
        EXPECT_EQ(scaled_score(p, inputs, 3, j), scaled_score(p, inputs, 3, j - 28));
      }
    }
  }
  EXPECT_TRUE(long_seen);
  EXPECT_TRUE(short_seen);
}

// A rescale may wait up to 8 ln 2.
TEST(FamilyReach, RisingMaximaRiseInEveryTileAndAroundWhatMayWait) {
  const double may_wait = 8 * std::log(2.0);
  int below = 0, above = 0, small = 0;
  for (const Index d : {1, 8, 64}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Problem p = open_problem(Format::bf16, 8, 160, d);
      const Inputs inputs = values_of("F3", p, seed);
      for (Index i = 0; i < p.n_q; ++i) {
        std::vector<double> maxima(10, -INFINITY);
        for (Index j = 0; j < p.n_k; ++j) {
          maxima[j / 16] = std::max(maxima[j / 16], scaled_score(p, inputs, i, j));
        }
        for (std::size_t tile = 1; tile < maxima.size(); ++tile) {
          const double rise = maxima[tile] - maxima[tile - 1];
          EXPECT_TRUE(rise >= 0.49 && rise <= may_wait + 0.25) << d << ' ' << seed << ' ' << rise;
          small += rise < 2.02;
          below += std::fabs(rise - may_wait + 0.1) < 0.1;
          above += std::fabs(rise - may_wait - 0.1) < 0.1;
        }
      }
    }
  }
  EXPECT_TRUE(small >= 500 && below >= 50 && above >= 50) << small << ' ' << below << ' ' << above;
}

TEST(FamilyReach, RisingMaximaNeverHaveFewerThanThreeTiles) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_GT(family_named("F3").adapt(open_problem(Format::f16, 3, 5, 8), seed).n_k, 32);
  }
}

TEST(FamilyReach, ConstantVIsOneConstantAndOftenOne) {
  int ones = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Range v = values_in(values_of("F5", open_problem(Format::bf16, 2, 9, 4), seed).v);
    EXPECT_EQ(v.least, v.most);
    ones += v.least == 1;
  }
  EXPECT_GE(ones, 8);
  EXPECT_LE(ones, 32);
}

TEST(FamilyReach, LiftedScoresLieBetweenFiveHundredAndFourThousand) {
  for (const Format format : kStored) {
    for (const Index d : {2, 8, 40, 64}) {
      const Problem p = open_problem(format, 16, 64, d);
      const Range s = scores_of(p, values_of("F6", p, 3));
      EXPECT_GT(s.least, 490) << d;
      EXPECT_LT(s.most, 4110) << d;
      EXPECT_GT(s.most - s.least, 0.5) << d;
      EXPECT_LT(s.most - s.least, 20) << d;
    }
  }
}

TEST(FamilyReach, DeeplyNegativeScoresLieBetweenMinusTwoAndMinusFiveHundred) {
  for (const char* name : {"F7", "F21"}) {
    for (const Format format : kStored) {
      for (const Index d : {1, 2, 3, 8, 17, 64}) {
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
          const Problem p = open_problem(format, 24, 40, d);
          const Range s = scores_of(p, values_of(name, p, seed));
          EXPECT_LT(s.most, -200) << name << " d=" << d;
          EXPECT_GT(s.least, -500) << name << " d=" << d;
        }
      }
    }
  }
}

const ShapeClass& class_named(std::string_view name) {
  return *std::ranges::find(shape_classes(), name, &ShapeClass::name);
}

TEST(FamilyReach, DeeplyNegativeKillsTheFirstTileInAboutHalfOfTheCases) {
  int dead = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem p = family_named("F7").adapt(open_problem(Format::f16, 9, 20, 8), seed);
    dead += class_named("dead_first_tile").holds(p);
  }
  EXPECT_GE(dead, 12);
  EXPECT_LE(dead, 28);
}

TEST(FamilyReach, CancellingScoresLoseMostOfTheirTerms) {
  for (const Format format : kStored) {
    for (const Index d : {2, 16, 64}) {
      const Problem p = open_problem(format, 16, 32, d);
      const Inputs inputs = values_of("F9", p, 2);
      const Range s = scores_of(p, inputs);
      const double terms = p.scale * static_cast<double>(d) * 60 * 4;  // at least
      EXPECT_LT(std::max(-s.least, s.most) * 20, terms) << d;
      EXPECT_LT(s.least, s.most);
    }
  }
}

TEST(FamilyReach, HugeOffsetsOfBothSignsReachFromAHundredToAMillion) {
  for (const Format format : kStored) {
    Range magnitudes;
    Range unscaled;
    Range queries;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Problem p = open_problem(format, 40, 3, 1 + static_cast<Index>(seed % 8));
      const Inputs inputs = values_of("F11", p, seed);
      for (Index i = 0; i < p.n_q; ++i) {
        magnitudes.add(std::fabs(scaled_score(p, inputs, i, 0)));
        unscaled.add(dot(p, inputs, 0, 0, i, 0));
        queries.add(inputs.q.view().value(0, 0, i, 0));
      }
    }
    EXPECT_LT(magnitudes.least, 200);
    EXPECT_GT(magnitudes.most, 9e5);
    EXPECT_LT(unscaled.least, -9e5);
    EXPECT_GT(unscaled.most, 9e5);
    EXPECT_GE(queries.most, 65504);
  }
}

TEST(FamilyReach, HugeOffsetsPassMinusFiveTimesTenToTheFourInMostDrawnCases) {
  for (const std::uint64_t format : {0u, 1u}) {
    int reached = 0;
    int drawn = 0;
    for (std::uint64_t index = format; index < 1760; index += 2) {
      const Case c = draw(11, index);
      if (std::get<FamilyData>(c.data).family != "F11") continue;
      ++drawn;
      const Inputs inputs = materialise(c);
      bool below = false;
      for (Index i = 0; i < c.problem.live_queries(0); ++i) {
        for (Index j = 0; j < c.problem.n_k; ++j) {
          below =
              below || (is_live(c.problem, 0, i, j) && dot(c.problem, inputs, 0, 0, i, j) < -5e4);
        }
      }
      reached += below;
    }
    EXPECT_EQ(drawn, 40);
    EXPECT_GE(reached, 20);
  }
}

TEST(FamilyReach, DeadRowsTakeEveryRoad) {
  int dead = 0;
  int no_keys = 0;
  int one_query = 0;
  int one_key = 0;
  int more_queries = 0;
  int empty_length = 0;
  int all_dead = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem p = family_named("F15").adapt(open_problem(Format::f16, 10, 20, 8), seed);
    dead += class_named("dead_rows").holds(p);
    no_keys += p.n_k == 0;
    one_query += p.n_q == 1;
    one_key += p.n_k == 1;
    more_queries += p.right == 0 && p.n_q > p.n_k && p.n_k > 1;
    empty_length += !p.lk.empty() && std::ranges::find(p.lk, Index{0}) != p.lk.end();
    all_dead += p.left != kUnlimited && p.left < 0 && p.right < -p.left;
  }
  EXPECT_GE(dead, 75);  // one query sees its key; an entry without live queries has no dead row
  for (const int count : {no_keys, one_query, one_key, more_queries, empty_length, all_dead}) {
    EXPECT_GE(count, 5);
  }
}

TEST(FamilyReach, OneHotScoresStandFarAboveTheOthers) {
  for (const Format format : kStored) {
    for (const Index d : {1, 16, 64, 256}) {
      const Problem p = open_problem(format, 10, 200, d);
      const Inputs inputs = values_of("F16", p, 4);
      Range winners;
      for (Index i = 0; i < p.n_q; ++i) {
        std::vector<std::pair<double, Index>> row;
        for (Index j = 0; j < p.n_k; ++j) row.emplace_back(scaled_score(p, inputs, i, j), j);
        std::ranges::sort(row);
        for (std::size_t at = 1; at < row.size(); ++at) {
          EXPECT_GT(row[at].first - row[at - 1].first, d > 32 ? 44 : 110) << "d=" << d;
        }
        winners.add(static_cast<double>(row.back().second));
      }
      EXPECT_LT(winners.least, winners.most);  // not the same key in every row
    }
  }
}

TEST(FamilyReach, TailSizesLeaveOneKeyMoreOrLessOrHalfATile) {
  std::vector<Index> remainders(64);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Index n_k = family_named("F21").adapt(open_problem(Format::f16, 4, 4, 4), seed).n_k;
    EXPECT_LE(n_k, 160);
    ++remainders[n_k % 64];
  }
  for (const Index remainder : {1, 15, 17, 31, 32, 33, 63, 8, 24}) {
    EXPECT_GE(remainders[remainder], 1) << remainder;
  }
}

TEST(FamilyReach, SameSignVIsNeverNegative) {
  Range all;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Range v = values_in(values_of("F22", open_problem(Format::f16, 2, 30, 16), seed).v);
    EXPECT_GE(v.least, 0);
    all.add(v.least);
    all.add(v.most);
  }
  EXPECT_LT(all.least, 0.1);
  EXPECT_GT(all.most, 2);
}

}  // namespace
}  // namespace attest::family_reach_test
