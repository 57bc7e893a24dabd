// Goal: gradients by blocks in binary64 hold multiprecision's on millions of elements of every kind
// of values, both views.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "oracle/enclose_in_binary64.hpp"
#include "tests/oracle/binary64_gradients.hpp"

namespace attest {
namespace {

TEST(GradientsInBinary64Soak, HoldMultiprecisionOnMillionsOfElements) {
  GradientComparison all;
  for (std::uint64_t index = 1000; all.elements < 3'000'000; ++index) {
    const DrawnGradients drawn = draw_gradient_case(index);
    if (drawn.problem.in == Format::f64) continue;
    SCOPED_TRACE("case " + std::to_string(index));
    const Answer forward = enclose_in_binary64(drawn.problem, drawn.inputs);
    all.compare(drawn.problem, drawn.inputs, forward, std::nullopt);
    all.compare(drawn.problem, drawn.inputs, forward, stored_of(drawn, index % 2 == 0));
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  std::printf("%ld elements, %ld loose rows, %ld pairs\n", long(all.elements), long(all.loose_rows),
              long(all.pairs));
  EXPECT_GE(all.loose_rows, 50'000);
}

}  // namespace
}  // namespace attest
