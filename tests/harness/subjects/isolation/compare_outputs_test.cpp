// Goal: what nobody wrote, and what came out otherwise, is named by its first element, and rows
// that a declaration leaves open are left alone.
#include "harness/subjects/isolation/compare_outputs.hpp"

#include <gtest/gtest.h>

#include "harness/subjects/isolation/arena.hpp"

namespace attest::compare_outputs_test {
namespace {

Problem causal() {
  Problem p;
  p.n_q = 3;
  p.n_k = 2;
  p.d_qk = p.d_v = 2;
  p.right = 0;  // aligned at the bottom right: row 0 sees nothing
  return p;
}

// Outputs of two calls that wrote zeros everywhere.
struct TwoCalls {
  explicit TwoCalls(const Problem& problem)
      : p(problem), shapes(output_shapes(problem, WorkerStep::forward)) {
    for (const CallShape& shape : shapes) {
      first.emplace_back(shape.size());
      second.emplace_back(shape.size());
    }
  }
  void forget(std::size_t output, std::size_t row) {
    const CallShape& shape = shapes[output];
    const std::size_t bytes = shape.size() / static_cast<std::size_t>(shape.extents[2]);
    fill_with_poison(std::span(first[output]).subspan(row * bytes, bytes), shape.format,
                     Poison::first);
    fill_with_poison(std::span(second[output]).subspan(row * bytes, bytes), shape.format,
                     Poison::second);
  }
  [[nodiscard]] Differences compare(const Semantics& semantics = {}) const {
    return compare_outputs(p, semantics, shapes, first, second);
  }

  Problem p;
  std::vector<CallShape> shapes;
  std::vector<Bytes> first, second;
};

constexpr std::size_t kO = 0, kLse = 1;

TEST(CompareOutputs, FindsNothingWhereBothAgree) {
  const Differences found = TwoCalls(causal()).compare();
  EXPECT_EQ(found.unwritten, "");
  EXPECT_EQ(found.different, "");
}

TEST(CompareOutputs, NamesWhatNeitherCallWrote) {
  TwoCalls calls(causal());
  calls.forget(kO, 2);
  EXPECT_EQ(calls.compare().unwritten, "o[b=0 h=0 i=2 d=0]");
  EXPECT_EQ(calls.compare().different, "");
  TwoCalls lse(causal());
  lse.forget(kLse, 1);
  EXPECT_EQ(lse.compare().unwritten, "lse[b=0 h=0 i=1]");
}

TEST(CompareOutputs, NamesWhatOneOfThemDidNotWrite) {
  TwoCalls calls(causal());
  calls.forget(kO, 1);
  calls.first[kO].assign(calls.first[kO].size(), std::byte{0});
  EXPECT_EQ(calls.compare().unwritten, "o[b=0 h=0 i=1 d=0]");
}

TEST(CompareOutputs, NamesWhatCameOutOtherwise) {
  TwoCalls calls(causal());
  calls.second[kO][6] = std::byte{0x3c};
  EXPECT_EQ(calls.compare().different, "o[b=0 h=0 i=1 d=1] is 0000, and 003c");
}

TEST(CompareOutputs, LeavesDeadRowsAloneWhereTheyAreUnspecified) {
  TwoCalls calls(causal());
  calls.forget(kO, 0);
  EXPECT_EQ(calls.compare().unwritten, "");
  EXPECT_EQ(calls.compare({.dead_o = DeadO::zero}).unwritten, "o[b=0 h=0 i=0 d=0]");
  Problem blind = causal();
  blind.align = Align::top_left;
  blind.left = -3;
  TwoCalls none(blind);
  for (std::size_t row = 0; row < 3; ++row) none.forget(kO, row);
  EXPECT_EQ(none.compare().unwritten, "");
}

TEST(CompareOutputs, LeavesRowsBeyondALengthAloneUnlessTheyArePromised) {
  Problem p = causal();
  p.right = kUnlimited;
  p.lq = {2};
  TwoCalls calls(p);
  calls.forget(kO, 2);
  EXPECT_EQ(calls.compare().unwritten, "");
  EXPECT_EQ(calls.compare({.beyond_lengths = BeyondLengths::zero}).unwritten, "o[b=0 h=0 i=2 d=0]");
}

}  // namespace
}  // namespace attest::compare_outputs_test
