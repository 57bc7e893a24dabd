// Goal: every candidate is well formed and strictly simpler by a measure that cannot fall for ever,
// so shrinking ends; surviving values stay as they were.
#include "properties/shrink.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "properties/shrinking/values.hpp"
#include "tests/properties/drawn.hpp"
#include "tests/properties/rich_problem.hpp"

namespace attest::shrink_test {
namespace {

Index width_weight(Index width) {
  if (width == kUnlimited) return 0;
  return width >= 0 ? 1 + 2 * width : 2 - 2 * width;
}

Index lengths_weight(const std::vector<Index>& lengths) {
  Index sum = lengths.empty() ? 0 : 1;
  for (const Index length : lengths) sum += length;
  return sum;
}

Index scale_weight(float scale) {
  int exponent = 0;
  if (std::frexp(scale, &exponent) != 0.5f) return 1000;
  return std::abs(exponent - 1);
}

Index values_weight(const Inputs& inputs) {
  Index sum = 0;
  for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
    const auto width = static_cast<std::size_t>(bytes_of(tensor->format()));
    for (std::size_t at = 0; at < tensor->bytes().size(); at += width) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, tensor->bytes().data() + at, width);
      sum += complexity(tensor->format(), bits);
    }
  }
  return sum;
}

// Compared from the left; every part is a natural number.
using Measure = std::array<Index, 6>;

Measure measure(const Case& c) {
  const Problem& p = c.problem;
  const Index sizes = p.batch + p.heads_q + p.heads_k + p.n_q + p.n_k + p.d_qk + p.d_v;
  const Index band =
      width_weight(p.left) + width_weight(p.right) + (p.align == Align::bottom_right ? 1 : 0);
  return {sizes,
          lengths_weight(p.lq) + lengths_weight(p.lk),
          band,
          scale_weight(p.scale),
          p.out == p.in ? 0 : 1,
          p.lse_gradient ? 1 : 0};
}

// Where the problem is the same, the values decide.
bool is_simpler(const Case& a, const Case& b) {
  const Measure of_a = measure(a);
  const Measure of_b = measure(b);
  if (of_a != of_b) return of_a < of_b;
  return values_weight(materialise(a)) < values_weight(materialise(b));
}

TEST(ShrinkLaw, CandidatesAreWellFormedAndStrictlySimpler) {
  std::vector<Case> cases = {family_case(rich_problem())};
  cases.push_back({rich_problem(), values_of("F1", rich_problem(), 3)});
  cases.push_back({rich_backward_problem(), values_of("F1", rich_backward_problem(), 3)});
  for (std::uint64_t index = 0; index < 60; ++index) cases.push_back(draw(4, index));
  for (std::uint64_t index = 0; index < 12; ++index) cases.push_back(draw(4, index, Pass::bwd));
  for (const Case& c : cases) {
    const std::vector<Case> candidates = shrink(c);
    EXPECT_LE(candidates.size(), 1000u) << to_string(c);
    for (const Case& candidate : candidates) {
      ASSERT_EQ(defect_of(candidate.problem), "");
      ASSERT_TRUE(is_simpler(candidate, c)) << to_string(candidate) << " from " << to_string(c);
      ASSERT_EQ(parse_case(to_string(candidate)), candidate);
    }
  }
}

TEST(ShrinkLaw, SmallerFamilyCasesKeepTheirFamilyAndSeed) {
  const Case c = draw(4, 8);
  int kept = 0;
  for (const Case& candidate : shrink(c)) {
    if (const auto* data = std::get_if<FamilyData>(&candidate.data)) {
      EXPECT_EQ(*data, std::get<FamilyData>(c.data));
      ++kept;
    }
  }
  EXPECT_GT(kept, 10);
}

TEST(Shrink, IsEmptyAtTheMinimum) {
  Problem p = open_problem(Format::f16, 0, 0, 1);
  p.align = Align::top_left;
  EXPECT_TRUE(shrink({p, zero_inputs(p)}).empty());
}

TEST(Shrink, HasNothingForDataInAFile) {
  EXPECT_TRUE(shrink({rich_problem(), FileData{std::string(64, 'a')}}).empty());
}

TEST(Shrink, TriesShapesBeforeBandsBeforeValues) {
  const Case c{rich_problem(), values_of("F1", rich_problem(), 3)};
  int stage = 0;
  for (const Case& candidate : shrink(c)) {
    const Measure now = measure(candidate);
    const Measure whole = measure(c);
    const int its_stage = now[0] < whole[0] ? 0 : candidate.problem != c.problem ? 1 : 2;
    EXPECT_GE(its_stage, stage) << to_string(candidate);
    stage = std::max(stage, its_stage);
  }
  EXPECT_EQ(stage, 2);
}

TEST(Shrink, LeavesValuesAloneWhileTheDataIsTooLongForALiteral) {
  const Case c = family_case(open_problem(Format::f16, 1, 200, 16));
  for (const Case& candidate : shrink(c)) {
    if (std::holds_alternative<Inputs>(candidate.data)) {
      EXPECT_LT(volume(candidate.problem.k_extents()), volume(c.problem.k_extents()));
      EXPECT_LE(bytes_of(std::get<Inputs>(candidate.data)), kLargestLiteral);
    }
  }
}

TEST(Shrink, CroppedLiteralsKeepTheValuesOfWhatSurvives) {
  const Problem p = open_problem(Format::f16, 3, 8, 2);
  const Inputs inputs = values_of("F0", p, 9);
  int fronts = 0;
  int backs = 0;
  for (const Case& candidate : shrink({p, inputs})) {
    if (candidate.problem.n_k != 4 || candidate.problem.n_q != 3) continue;
    const ConstTensorView k = std::get<Inputs>(candidate.data).k.view();
    const auto starts_at = [&](Index first) {
      for (Index j = 0; j < 4; ++j) {
        for (Index c = 0; c < 2; ++c) {
          if (k.bits(0, 0, j, c) != inputs.k.view().bits(0, 0, first + j, c)) return false;
        }
      }
      return true;
    };
    backs += starts_at(0);
    fronts += starts_at(4);
  }
  EXPECT_EQ(backs, 1);
  EXPECT_EQ(fronts, 1);
}

TEST(Shrink, CropsDoutAndTheGradientOfLseWithTheRowsTheyBelongTo) {
  Problem p = open_problem(Format::bf16, 8, 3, 2);
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  const Inputs inputs = values_of("F0", p, 9);
  const auto rows_from = [&](const Inputs& now, Index first) {
    for (Index i = 0; i < 4; ++i) {
      if (now.glse.view().bits(0, 0, i, 0) != inputs.glse.view().bits(0, 0, first + i, 0)) {
        return false;
      }
      for (Index c = 0; c < 2; ++c) {
        if (now.dout.view().bits(0, 0, i, c) != inputs.dout.view().bits(0, 0, first + i, c)) {
          return false;
        }
      }
    }
    return true;
  };
  int fronts = 0;
  int backs = 0;
  for (const Case& candidate : shrink({p, inputs})) {
    ASSERT_EQ(candidate.problem.pass, Pass::bwd);  // another pass is another question
    if (candidate.problem.n_q != 4 || candidate.problem.n_k != 3) continue;
    backs += rows_from(std::get<Inputs>(candidate.data), 0);
    fronts += rows_from(std::get<Inputs>(candidate.data), 4);
  }
  EXPECT_EQ(backs, 1);
  EXPECT_EQ(fronts, 1);
}

TEST(Complexity, OrdersValuesFromSimpleToWild) {
  const double ordered[] = {0.0, 1.0,  -1.0,      2.0,           -2.0,    8.0,
                            3.0, 3.25, 3.1328125, 0x1p-14 * 1.5, INFINITY};
  for (std::size_t at = 1; at < std::size(ordered) - 2; ++at) {
    EXPECT_LT(complexity(Format::f16, round_to_bits(Format::f16, ordered[at - 1])),
              complexity(Format::f16, round_to_bits(Format::f16, ordered[at])))
        << ordered[at];
  }
  EXPECT_LT(complexity(Format::f16, 0x7bff), complexity(Format::f16, 0x7c00));
  EXPECT_LT(complexity(Format::f16, 0x7c00), complexity(Format::f16, 0x7e00));
}

}  // namespace
}  // namespace attest::shrink_test
