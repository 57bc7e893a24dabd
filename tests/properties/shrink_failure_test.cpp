// Goal: shrinking finds minima that are known beforehand, keeps what a failure needs, and keeps its
// deadline.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "properties/shrink.hpp"
#include "tests/properties/drawn.hpp"
#include "tests/properties/rich_problem.hpp"

namespace attest::shrink_failure_test {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point in(std::chrono::milliseconds time) { return Clock::now() + time; }

// The case to which a failing predicate leads, with a deadline that is never met.
Case minimum(const Case& c, const std::function<bool(const Case&)>& fails) {
  const Shrunk shrunk = shrink_failure(c, fails, in(std::chrono::minutes(5)));
  EXPECT_FALSE(shrunk.out_of_time);
  EXPECT_TRUE(fails(shrunk.smallest));
  EXPECT_GE(shrunk.tried, shrunk.steps);
  return shrunk.smallest;
}

TEST(ShrinkFailure, FindsTheSmallestNumberOfKeysAndNothingElse) {
  for (const std::uint64_t index : {0u, 3u, 13u, 40u}) {
    Case c = draw(2, index);
    c.problem.n_k = 130;
    c.problem.lk.clear();
    const Case smallest =
        minimum(c, [](const Case& candidate) { return candidate.problem.n_k > 32; });
    Problem p = open_problem(c.problem.in, 0, 33, 1);
    p.align = Align::top_left;
    EXPECT_EQ(to_string(smallest), to_string(Case{p, zero_inputs(p)}));
  }
}

TEST(ShrinkFailure, KeepsAGroupedHeadOnlyWhereItIsNeeded) {
  const Case smallest = minimum(family_case(rich_problem()), [](const Case& c) {
    return c.problem.heads_k > 1 && c.problem.heads_q > c.problem.heads_k;
  });
  EXPECT_EQ(smallest.problem.heads_q, 4);
  EXPECT_EQ(smallest.problem.heads_k, 2);
  EXPECT_EQ(smallest.problem.batch, 1);
}

TEST(ShrinkFailure, KeepsABandAndALengthOnlyWhereTheyAreNeeded) {
  const Case banded =
      minimum(family_case(rich_problem()), [](const Case& c) { return c.problem.right < 3; });
  EXPECT_EQ(banded.problem.right, 0);
  EXPECT_EQ(banded.problem.left, kUnlimited);
  EXPECT_TRUE(banded.problem.lq.empty() && banded.problem.lk.empty());
  const Case short_keys = minimum(family_case(rich_problem()), [](const Case& c) {
    return !c.problem.lk.empty() && c.problem.lk[0] > 0 && c.problem.lk[0] < c.problem.n_k;
  });
  EXPECT_EQ(short_keys.problem.n_k, 2);
  EXPECT_EQ(short_keys.problem.lk, std::vector<Index>{1});
  EXPECT_EQ(short_keys.problem.batch, 1);
  EXPECT_EQ(short_keys.problem.scale, 1.0f);
  EXPECT_EQ(short_keys.problem.out, Format::f16);
}

TEST(ShrinkFailure, FollowsAFailureIntoALaterBatchEntryAndHead) {
  Problem p = open_problem(Format::f16, 6, 20, 4);
  p.batch = 3;
  p.heads_q = 4;
  p.heads_k = 2;
  const Inputs inputs = values_of("F0", p, 42);
  const double culprit = inputs.v.view().value(2, 1, 11, 3);
  ASSERT_NE(culprit, 0);
  const auto holds_culprit = [&](const Case& c) {
    const Inputs now = materialise(c);
    const auto [batch, heads, rows, columns] = now.v.extents();
    for (Index at = 0; at < now.v.size(); ++at) {
      const Index row = at / columns;
      if (now.v.view().value(row / rows / heads, row / rows % heads, row % rows, at % columns) ==
          culprit) {
        return true;
      }
    }
    return false;
  };
  const Case smallest = minimum(family_case(p), holds_culprit);
  EXPECT_EQ(smallest.problem.batch, 1);
  EXPECT_EQ(smallest.problem.heads_q, 1);
  EXPECT_EQ(smallest.problem.n_q, 0);
  EXPECT_EQ(smallest.problem.n_k, 1);
  EXPECT_EQ(smallest.problem.d_v, 1);
}

TEST(ShrinkFailure, MakesValuesSimpleWhereTheyMayBe) {
  const Problem p = open_problem(Format::bf16, 1, 2, 2);
  const Case smallest = minimum(family_case(p, "F1"), [](const Case& c) {
    if (c.problem.n_k < 2 || c.problem.n_q < 1) return false;
    const Inputs inputs = materialise(c);
    return inputs.v.view().value(0, 0, 1, 0) > 0 && inputs.k.view().value(0, 0, 0, 0) != 0;
  });
  const Inputs inputs = materialise(smallest);
  EXPECT_EQ(inputs.v.view().value(0, 0, 0, 0), 0);
  EXPECT_EQ(inputs.v.view().value(0, 0, 1, 0), 1);
  EXPECT_EQ(inputs.k.view().value(0, 0, 0, 0), 1);
  EXPECT_EQ(inputs.k.view().value(0, 0, 1, 0), 0);
  EXPECT_EQ(inputs.q.view().value(0, 0, 0, 0), 0);
}

TEST(ShrinkFailure, DropsTheGradientOfLseAndSimplifiesDoutWhereTheyMayBe) {
  const auto drawn = family_case(rich_backward_problem());
  const Case without = minimum(drawn, [](const Case& c) {
    return c.problem.n_q > 0 && materialise(c).dout.view().value(0, 0, 0, 0) > 0;
  });
  EXPECT_FALSE(without.problem.lse_gradient);
  EXPECT_EQ(materialise(without).dout.view().value(0, 0, 0, 0), 1);
  EXPECT_EQ(without.problem.n_q, 1);
  const Case with = minimum(drawn, [](const Case& c) {
    return c.problem.n_q > 0 && c.problem.lse_gradient &&
           materialise(c).glse.view().value(0, 0, 0, 0) != 0;
  });
  EXPECT_EQ(with.problem.n_q, 1);
  EXPECT_EQ(materialise(with).glse.view().value(0, 0, 0, 0), 1);
  EXPECT_EQ(materialise(with).dout, zero_inputs(with.problem).dout);
}

TEST(ShrinkFailure, KeepsItsDeadline) {
  const auto start = Clock::now();
  const Shrunk shrunk = shrink_failure(
      family_case(open_problem(Format::f16, 100, 100, 16)),
      [](const Case& c) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return c.problem.n_k > 5 && c.problem.n_q > 5;
      },
      in(std::chrono::milliseconds(200)));
  EXPECT_TRUE(shrunk.out_of_time);
  EXPECT_GE(shrunk.steps, 1);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST(ShrinkFailure, GivesTheCaseBackWhenNothingSmallerFails) {
  const Case c = draw(1, 2);
  const Shrunk shrunk = shrink_failure(
      c, [](const Case&) { return false; }, in(std::chrono::minutes(5)));
  EXPECT_EQ(shrunk.smallest, c);
  EXPECT_EQ(shrunk.steps, 0);
  EXPECT_EQ(shrunk.tried, static_cast<int>(shrink(c).size()));
}

}  // namespace
}  // namespace attest::shrink_failure_test
