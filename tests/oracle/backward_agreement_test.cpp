// Goal: gradients by multiprecision, by binary64 and by balls, three routes written apart, meet on
// thousands of drawn elements in both views, and all are narrow.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "tests/oracle/arb_gradients.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::backward_agreement_test {
namespace {

// How a set of enclosures compares with balls.
struct Comparison {
  Index elements = 0;   // that are finite
  Index points = 0;     // of these, enclosed by one number
  Index apart = 0;      // contradictions
  Index misplaced = 0;  // not finite, though some live pair takes part, or the reverse
  Index coarse = 0;     // wider than ends rounded once to binary64 can be
  double widest = 0;    // width / sum of magnitudes
};

// Both routes let every error that is not 0 be at least 2^-800 times an input, and inputs of the
// drawn cases stay below 2^30.
constexpr double kLeastWidth = 0x1p-700;
// Of ends rounded outward to binary64, about a radius that is far smaller.
constexpr double kSharpWidth = 0x1p-50;

void compare(const GradientAnswer& answer, const ArbGradient& arb, Comparison& result) {
  for (std::size_t e = 0; e < arb.values.size(); ++e) {
    const Enclosure value = answer.values[e];
    const double size = arb.sizes[e].ends().hi;
    if (answer.classes[e] != OutputClass::finite) {
      result.misplaced += size > 0 || value != Enclosure{};
      continue;
    }
    ++result.elements;
    result.apart += is_outside(arb.values[e], value);
    result.points += value.lo == value.hi;
    const double width = value.hi - value.lo;
    if (width > kLeastWidth) result.widest = std::max(result.widest, width / size);
    result.coarse += width > kLeastWidth && width > kSharpWidth * size;
  }
}

void compare(const BackwardAnswer& answer, const ArbGradients& arb, Comparison& result) {
  compare(answer.dq, arb.dq, result);
  compare(answer.dk, arb.dk, result);
  compare(answer.dv, arb.dv, result);
}

struct Routes {
  Comparison multiprecision;
  Comparison binary64;

  void add(const DrawnGradients& drawn, const BackwardAnswer& weights,
           const std::optional<StoredForward>& stored) {
    const Problem& p = drawn.problem;
    const ArbGradients arb = arb_gradients(p, drawn.inputs, stored);
    compare(enclose_backward(p, drawn.inputs, stored), arb, multiprecision);
    compare(enclose_backward_by_weights(p, drawn.inputs, weights, stored), arb, binary64);
  }
};

void expect_agreement(const Routes& routes) {
  EXPECT_EQ(routes.multiprecision.apart, 0);
  EXPECT_EQ(routes.binary64.apart, 0);
  EXPECT_EQ(routes.multiprecision.misplaced, 0);
  EXPECT_EQ(routes.binary64.misplaced, 0);
  EXPECT_LE(routes.multiprecision.widest, kSharpWidth);
  EXPECT_LE(routes.binary64.widest, 0x1p-40);
}

TEST(ThreeRoutes, MeetAndAreNarrowOnThousandsOfGradients) {
  Routes all;
  std::array<Index, kValueKinds> elements_of_kind{};
  for (std::uint64_t index = 0; index < 128; ++index) {
    const DrawnGradients drawn = draw_gradient_case(index);
    const BackwardAnswer weights = enclose_backward(drawn.problem, drawn.inputs);
    const Index before = all.binary64.elements;
    all.add(drawn, weights, std::nullopt);
    all.add(drawn, weights, stored_of(drawn, index % 2 == 0));
    expect_agreement(all);
    ASSERT_FALSE(::testing::Test::HasFailure()) << to_string(drawn.problem) << " case " << index;
    elements_of_kind[static_cast<std::size_t>(drawn.kind)] += all.binary64.elements - before;
  }
  std::printf("%ld elements, %ld points, width / magnitudes 2^%.1f and 2^%.1f\n",
              long(all.multiprecision.elements), long(all.multiprecision.points),
              std::log2(all.multiprecision.widest), std::log2(all.binary64.widest));
  // Heads that binary64 hands on are the exception.
  EXPECT_GE(all.binary64.coarse, all.binary64.elements / 2);
  for (const Index elements : elements_of_kind) EXPECT_GE(elements, 1000);
}

}  // namespace
}  // namespace attest::backward_agreement_test
