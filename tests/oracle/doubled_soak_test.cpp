// Goal: a million outputs and more of each adversarial kind together: what doubled numbers prove
// holds the multiprecision answer, in long rows, too.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/oracle/doubled_containment.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::doubled_soak_test {
namespace {

// Rows of one head, causal every other time, long enough for sums to matter.
Problem long_rows(Format format, std::uint64_t index) {
  Problem p;
  p.in = p.out = format;
  p.n_q = 24;
  p.n_k = index % 3 == 0 ? 257 : 64;
  p.d_qk = index % 5 == 0 ? 128 : 16;
  p.d_v = 128;
  p.scale = index % 7 == 0 ? 0.7F : default_scale(p.d_qk);
  if (index % 2 == 0) p.right = 0;
  return p;
}

TEST(DoubledSoak, HoldsTheMultiprecisionAnswerOfMillionsOfOutputs) {
  const Format formats[] = {Format::f32, Format::bf16, Format::f16};
  ComparedRows all;
  for (std::uint64_t index = 0; all.elements < 2'000'000; ++index) {
    ASSERT_LT(index, 4'000U) << "most rows go to multiprecision";
    const Problem p = long_rows(formats[index % 3], index / 3);
    const auto kind = static_cast<ValueKind>(index / 3 % kValueKinds);
    SCOPED_TRACE("case " + std::to_string(index) + ' ' + to_string(p));
    expect_doubled_rows_hold(p, with_all_bits(draw_values(p, kind, index)), all);
    ASSERT_FALSE(HasFailure());
  }
  std::cout << all.elements << " outputs, " << all.by_itself << " of " << all.rows << " rows\n";
}

TEST(DoubledSoak, HoldsTheMultiprecisionGradientsOfAMillionElements) {
  ComparedGradients all;
  for (std::uint64_t index = 1'000; all.elements < 1'000'000; ++index) {
    ASSERT_LT(index, 10'000U) << "most heads go to multiprecision";
    DrawnGradients c = draw_gradient_case(index);
    SCOPED_TRACE("case " + std::to_string(index) + ' ' + to_string(c.problem));
    if (c.problem.in == Format::f32) c.inputs = with_all_bits(c.inputs);
    expect_doubled_gradients_hold(c.problem, c.inputs, std::nullopt, all);
    expect_doubled_gradients_hold(c.problem, c.inputs, stored_of(c, index % 2 == 0), all);
    ASSERT_FALSE(HasFailure());
  }
  std::cout << all.elements << " elements, " << all.by_itself << " of " << all.answers
            << " answers\n";
}

}  // namespace
}  // namespace attest::doubled_soak_test
