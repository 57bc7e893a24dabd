// Goal: the families that came after the first seventeen reach what their comments claim, computed
// here in binary64 from the bits that a subject would get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "tests/properties/drawn.hpp"

namespace attest::structured_reach_test {
namespace {

constexpr Format kStored[] = {Format::f16, Format::bf16};

std::vector<double> scores_of_row(const Problem& p, const Inputs& inputs, Index i) {
  std::vector<double> scores;
  for (Index j = 0; j < p.n_k; ++j) scores.push_back(scaled_score(p, inputs, i, j));
  return scores;
}

double v_at(const Inputs& inputs, Index j, Index k = 0) {
  return inputs.v.view().value(0, 0, j, k);
}

TEST(StructuredReach, FallingMaximaNeverRiseAfterTheFirstKey) {
  for (const Format format : kStored) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
      const Problem p = open_problem(format, 6, 100, 16);
      const Inputs inputs = values_of("F4", p, seed);
      for (Index i = 0; i < p.n_q; ++i) {
        const std::vector<double> s = scores_of_row(p, inputs, i);
        EXPECT_GT(s[0], 2.9);
        EXPECT_LT(*std::max_element(s.begin() + 1, s.end()), s[0] - 2.9);
        EXPECT_LT(*std::max_element(s.begin() + 96, s.end()),
                  *std::max_element(s.begin() + 1, s.begin() + 16));
      }
      EXPECT_GE(v_at(inputs, 50), 1);
    }
  }
}

TEST(StructuredReach, ScoresPassTheLargestF16AndStayNearEachOther) {
  for (const Format format : kStored) {
    for (const Index d : {2, 16, 32, 256}) {
      const Problem p = family_named("F10").adapt(open_problem(format, 12, 40, d), 1);
      const Inputs inputs = values_of("F10", p, 1);
      int signs[2] = {0, 0};
      for (Index i = 0; i < p.n_q; ++i) {
        double least = INFINITY;
        double most = -INFINITY;
        for (Index j = 0; j < p.n_k; ++j) {
          const double s = dot(p, inputs, 0, 0, i, j);
          EXPECT_GT(std::fabs(s), 65520);
          least = std::min(least, s);
          most = std::max(most, s);
        }
        EXPECT_LT((most - least) * p.scale, 20);
        ++signs[most > 0];
      }
      EXPECT_GT(signs[0], 0);
      EXPECT_GT(signs[1], 0);
    }
  }
}

TEST(StructuredReach, SubnormalWeightsLieBelowTheNormalRangeOfF16AndAlmostOneATileDoesNot) {
  for (const Index d : {1, 16, 64}) {
    const Problem p = open_problem(Format::f16, 3, 160, d);
    const Inputs inputs = values_of("F14", p, 5);
    for (Index i = 0; i < p.n_q; ++i) {
      const std::vector<double> s = scores_of_row(p, inputs, i);
      const double m = *std::ranges::max_element(s);
      int tops = 0;
      for (Index j = 0; j < p.n_k; ++j) {
        const double weight = std::exp(s[static_cast<std::size_t>(j)] - m);
        tops += weight == 1;
        if (weight == 1) {
          EXPECT_EQ(v_at(inputs, j), 0);
        } else {
          EXPECT_LT(weight, 0x1p-14);
          EXPECT_GE(weight, 0x1p-25);
          EXPECT_GE(v_at(inputs, j), 64);
        }
      }
      EXPECT_EQ(tops, 10);
    }
  }
}

TEST(StructuredReach, EqualScoresAreAPowerOfTwoInNumberAndNotZero) {
  std::set<Index> counts;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem p = family_named("F17").adapt(open_problem(Format::bf16, 3, 100, 8), seed);
    counts.insert(p.n_k);
    EXPECT_EQ(p.n_k & (p.n_k - 1), 0);
    const Inputs inputs = values_of("F17", p, seed);
    const std::vector<double> s = scores_of_row(p, inputs, 2);
    EXPECT_EQ(*std::ranges::min_element(s), *std::ranges::max_element(s));
    EXPECT_NE(s[0], 0);
  }
  EXPECT_EQ(counts.size(), 9u);
}

TEST(StructuredReach, TruncatedProductsLieJustBelowTheLastPlaceOfTheLargest) {
  for (const Format format : kStored) {
    const Problem p = open_problem(format, 8, 70, 40);
    const Inputs inputs = values_of("F18", p, 3);
    const ConstTensorView q = inputs.q.view();
    const ConstTensorView k = inputs.k.view();
    for (Index i = 0; i < p.n_q; ++i) {
      const double large = q.value(0, 0, i, 0) * k.value(0, 0, 0, 0);
      for (Index c = 1; c < p.d_qk; ++c) {
        const double small = q.value(0, 0, i, c) * k.value(0, 0, 7, c);
        EXPECT_LT(small / large, 0x1p-24);
        EXPECT_GT(small / large, 0x1.f8p-25);
      }
    }
    EXPECT_EQ(std::fabs(v_at(inputs, 64)), 256);
    EXPECT_LT(v_at(inputs, 63) / v_at(inputs, 64), 0x1p-24);
    EXPECT_GT(v_at(inputs, 63) / v_at(inputs, 64), 0);
  }
}

TEST(StructuredReach, OutliersAreRareAndTenTimesAsLarge) {
  const Problem p = open_problem(Format::bf16, 64, 64, 64);
  const Inputs inputs = values_of("F19", p, 4);
  for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v}) {
    int beyond = 0;
    double squares = 0;
    for (Index row = 0; row < 64; ++row) {
      for (Index column = 0; column < 64; ++column) {
        const double x = tensor->view().value(0, 0, row, column);
        beyond += std::fabs(x) > 6;  // of the sum of twelve uniforms, never
        squares += x * x;
      }
    }
    EXPECT_GE(beyond, 2);
    EXPECT_LE(beyond, 30);
    EXPECT_LT(squares / 4096, 2.5);
  }
}

TEST(StructuredReach, PlacesHaveNamesThatTellNeighboursApart) {
  Problem p = open_problem(Format::bf16, 16, 40, 8);
  p.batch = 2;
  p.heads_q = p.heads_k = 2;
  const Inputs inputs = values_of("F20", p, 6);
  const ConstTensorView v = inputs.v.view();
  EXPECT_NE(v.value(0, 0, 1, 0), v.value(0, 0, 2, 0));
  EXPECT_NE(v.value(0, 0, 1, 0), v.value(0, 0, 1, 1));
  EXPECT_NE(v.value(0, 0, 1, 0), v.value(0, 1, 1, 0));
  EXPECT_NE(v.value(0, 0, 1, 0), v.value(1, 0, 1, 0));
  for (Index i = 0; i < p.n_q; ++i) {
    const std::vector<double> s = scores_of_row(p, inputs, i);
    const auto winners = std::ranges::count(s, *std::ranges::max_element(s));
    EXPECT_GE(winners, 8);
    EXPECT_LE(winners, 32);
    EXPECT_GT(*std::ranges::max_element(s) - *std::ranges::min_element(s), 64);
  }
}

TEST(StructuredReach, StructuresAreAllDrawn) {
  int massive = 0;
  int rank_one = 0;
  int aliased = 0;
  int constant = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem p = open_problem(Format::bf16, 6, 6, 4);
    const Inputs inputs = values_of("F24", p, seed);
    const ConstTensorView q = inputs.q.view();
    const bool is_constant = q.value(0, 0, 0, 0) == q.value(0, 0, 5, 2);
    const bool is_aliased = inputs.q == inputs.k && inputs.k == inputs.v;
    const double minor =
        q.value(0, 0, 0, 0) * q.value(0, 0, 1, 2) - q.value(0, 0, 0, 2) * q.value(0, 0, 1, 0);
    constant += is_constant;
    aliased += is_aliased && !is_constant;
    massive += q.value(0, 0, 3, 1) >= 12 && inputs.k.view().value(0, 0, 3, 1) >= 12;
    rank_one += !is_constant && !is_aliased &&
                std::fabs(minor) < 0x1p-5 * std::fabs(q.value(0, 0, 0, 0) * q.value(0, 0, 1, 2));
  }
  for (const int count : {massive, rank_one, aliased, constant}) EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace attest::structured_reach_test
