// Goal: shrinking takes a NaN for the least simple of values: it goes where a number fails too, and
// stays, bit for bit, where nothing else does.
#include <gtest/gtest.h>

#include <cmath>

#include "properties/shrink.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::shrink_nan_test {
namespace {

Case smallest_of(const Case& c, const std::function<bool(const Case&)>& fails) {
  const Shrunk shrunk =
      shrink_failure(c, fails, std::chrono::steady_clock::now() + std::chrono::minutes(5));
  EXPECT_FALSE(shrunk.out_of_time);
  EXPECT_TRUE(fails(shrunk.smallest));
  return shrunk.smallest;
}

bool any_nan(const Tensor& tensor) {
  const auto [batch, heads, rows, columns] = tensor.extents();
  for (Index at = 0; at < tensor.size(); ++at) {
    const Index row = at / columns;
    if (std::isnan(tensor.view().value(row / rows / heads, row / rows % heads, row % rows,
                                       at % columns))) {
      return true;
    }
  }
  return false;
}

TEST(ShrinkNan, KeepsANanOnlyWhereItIsNeeded) {
  const Problem p = open_problem(Format::f16, 3, 9, 4);
  Inputs inputs = values_of("F0", p, 5);
  inputs.k.view().set_bits(0, 0, 2, 1, 0xfe01);  // of any payload
  inputs.k.view().set_bits(0, 0, 7, 3, 0x7e00);
  inputs.v.view().set_bits(0, 0, 1, 1, 0x7e00);
  const Case smallest = smallest_of(
      {p, inputs}, [](const Case& c) { return c.problem.n_q == 3 && any_nan(materialise(c).k); });
  EXPECT_EQ(smallest.problem.n_k, 1);
  EXPECT_EQ(smallest.problem.d_qk, 1);
  const Inputs left = materialise(smallest);
  EXPECT_FALSE(any_nan(left.v));
  EXPECT_EQ(left.q, zero_inputs(smallest.problem).q);
}

TEST(ShrinkNan, LeavesNoNanWhereANumberFailsToo) {
  const Problem p = open_problem(Format::bf16, 3, 9, 4);
  Inputs inputs = values_of("F0", p, 5);
  inputs.v.view().set_bits(0, 0, 0, 0, 0x7fc0);
  inputs.k.view().set_bits(0, 0, 0, 0, 0x7f80);
  const Case smallest = smallest_of({p, inputs}, [](const Case& c) {
    if (c.problem.n_k == 0) return false;
    const Inputs now = materialise(c);
    return now.v.view().value(0, 0, 0, 0) != 0 && now.k.view().value(0, 0, 0, 0) != 0;
  });
  const Inputs left = materialise(smallest);
  EXPECT_EQ(left.v.view().value(0, 0, 0, 0), 1);
  EXPECT_EQ(left.k.view().value(0, 0, 0, 0), 1);
}

TEST(ShrinkNan, CandidatesSurviveTheirText) {
  const Problem p = open_problem(Format::f16, 2, 2, 2);
  Inputs inputs = values_of("F0", p, 6);
  for (const std::uint64_t nan : {0x7e00u, 0x7c01u, 0xffffu}) {  // quiet, signalling, negative
    inputs.q.view().set_bits(0, 0, 1, 1, nan);
    const Case c{p, inputs};
    EXPECT_EQ(parse_case(to_string(c)), c);
    int kept = 0;
    for (const Case& candidate : shrink(c)) {
      ASSERT_EQ(parse_case(to_string(candidate)), candidate);
      const Inputs now = materialise(candidate);
      kept += now.q.extents() == inputs.q.extents() && now.q.view().bits(0, 0, 1, 1) == nan;
    }
    EXPECT_GE(kept, 10);
  }
}

}  // namespace
}  // namespace attest::shrink_nan_test
