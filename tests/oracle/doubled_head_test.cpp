// Goal: gradients in doubled numbers hold those of multiprecision in both views, and their pairs
// are upper bounds as sharp; what they cannot do goes up the ladder.
#include "oracle/doubled_head.hpp"

#include <gtest/gtest.h>

#include "tests/oracle/doubled_containment.hpp"
#include "tests/oracle/gradient_cases.hpp"

namespace attest::doubled_head_test {
namespace {

TEST(DoubledHead, HoldsTheMultiprecisionAnswerOfDrawnCases) {
  ComparedGradients all;
  for (std::uint64_t index = 0; index < 160 && !HasFailure(); ++index) {
    DrawnGradients c = draw_gradient_case(index);
    SCOPED_TRACE("case " + std::to_string(index) + ' ' + to_string(c.problem));
    if (c.problem.in == Format::f32 && index % 8 < 4) c.inputs = with_all_bits(c.inputs);
    expect_doubled_gradients_hold(c.problem, c.inputs, std::nullopt, all);
    for (const bool d_from_p : {false, true}) {
      expect_doubled_gradients_hold(c.problem, c.inputs, stored_of(c, d_from_p), all);
    }
  }
  EXPECT_GE(all.by_itself, 200);
  EXPECT_GE(all.narrow, all.elements * 8 / 10);
}

TEST(DoubledHead, LeavesAStoredLseThatIsFarOffToMultiprecision) {
  DrawnGradients c = draw_gradient_case(2);  // f16
  c.problem.out = Format::f16;
  const Tensor o(c.problem.out, c.problem.o_extents());
  Tensor lse(Format::f32, c.problem.lse_extents());
  const std::uint64_t far = round_to_bits(Format::f32, 1000);
  for (Index b = 0; b < c.problem.batch; ++b) {
    for (Index h = 0; h < c.problem.heads_q; ++h) {
      for (Index i = 0; i < c.problem.n_q; ++i) lse.view().set_bits(b, h, i, 0, far);
    }
  }
  const StoredForward stored{o.view(), lse.view()};
  ASSERT_EQ(enclose_backward(c.problem, c.inputs, std::nullopt, Precision::doubled).bits,
            kDoubledBits);
  EXPECT_EQ(enclose_backward(c.problem, c.inputs, stored, Precision::doubled).bits, 168);
}

// One key of a score so large that its distance from the stored LSE cannot be trusted, though it is
// 0: doubled numbers have no bound of P that is of any use.
TEST(DoubledHead, LeavesAStoredLseBesideAHugeScoreToMultiprecision) {
  Problem p;
  p.pass = Pass::bwd;
  p.in = Format::bf16;
  p.out = Format::bf16;
  Inputs inputs = zero_inputs(p);
  const std::uint64_t huge = round_to_bits(Format::bf16, 0x1p60);
  inputs.q.view().set_bits(0, 0, 0, 0, huge);
  inputs.k.view().set_bits(0, 0, 0, 0, huge);
  const Tensor o(p.out, p.o_extents());
  Tensor lse(Format::f32, p.lse_extents());
  lse.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f32, 0x1p120));
  const StoredForward stored{o.view(), lse.view()};
  const BackwardAnswer answer = enclose_backward(p, inputs, stored, Precision::doubled);
  EXPECT_EQ(answer.bits, 168);
  EXPECT_LE(answer.rows[0].pairs[0].pi, 1 + 0x1p-50);
}

}  // namespace
}  // namespace attest::doubled_head_test
