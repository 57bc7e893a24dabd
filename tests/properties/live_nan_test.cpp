// Goal: the family of live NaNs puts them where its comment says, into any shape, and what the
// oracle makes of its cases holds NaN rows, NaN columns and numbers beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::live_nan_test {
namespace {

Index nans_in(const Tensor& tensor) {
  const auto [batch, heads, rows, columns] = tensor.extents();
  Index nans = 0;
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) {
      nans += std::isnan(tensor.view().value(0, 0, row, column));
    }
  }
  return nans;
}

// The tensor, 0 to 2, that holds all NaNs of the case; -1 if not exactly one does.
int tensor_with_nans(const Inputs& inputs) {
  int found = -1;
  const Tensor* const tensors[] = {&inputs.q, &inputs.k, &inputs.v};
  for (int n = 0; n < 3; ++n) {
    if (nans_in(*tensors[n]) == 0) continue;
    if (found != -1) return -1;
    found = n;
  }
  return found;
}

TEST(LiveNan, StandsInOneTensorEvenOfTheSmallestShape) {
  int chosen[3] = {};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Inputs one = values_of("F23", open_problem(Format::f16, 1, 1, 1), seed);
    const Inputs many = values_of("F23", open_problem(Format::f16, 30, 40, 16), seed);
    const int tensor = tensor_with_nans(one);
    ASSERT_GE(tensor, 0) << seed;
    EXPECT_EQ(tensor_with_nans(many), tensor) << seed;
    ++chosen[tensor];
  }
  for (const int times : chosen) EXPECT_GE(times, 10);
}

TEST(LiveNan, IsOneElementIn256OrIn4096) {
  int dense = 0;
  int sparse = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Inputs inputs = values_of("F23", open_problem(Format::bf16, 128, 128, 64), seed);
    const Index nans = nans_in(inputs.q) + nans_in(inputs.k) + nans_in(inputs.v);
    dense += nans >= 16 && nans <= 52;  // 8192 / 256 is 32
    sparse += nans >= 1 && nans <= 10;  // 8192 / 4096 is 2
  }
  EXPECT_EQ(dense + sparse, 40);
  EXPECT_GE(dense, 10);
  EXPECT_GE(sparse, 10);
}

TEST(LiveNan, ReachesSomeOutputsAndLeavesOthersInManyDrawnCases) {
  int nan_lse = 0;
  int nan_column = 0;  // O alone
  int beside_numbers = 0;
  for (std::uint64_t index = 0; index < 1760; ++index) {
    const Case c = draw(5, index);
    if (std::get<FamilyData>(c.data).family != "F23") continue;
    const Answer answer = enclose_forward(c.problem, materialise(c));
    const auto count = [](const auto& classes, OutputClass kind) {
      return std::ranges::count(classes, kind);
    };
    const auto rows = count(answer.lse_class, OutputClass::nan);
    const auto elements = count(answer.o_class, OutputClass::nan);
    nan_lse += rows > 0;
    nan_column += elements > rows * c.problem.d_v;
    beside_numbers += elements > 0 && count(answer.o_class, OutputClass::finite) > 0;
  }
  EXPECT_GE(nan_lse, 20);  // of 80
  EXPECT_GE(nan_column, 10);
  EXPECT_GE(beside_numbers, 30);
}

}  // namespace
}  // namespace attest::live_nan_test
