// Goal: a case under other shapes, formats and magnitudes keeps the values that survive, and gets
// the ones that it lacks as it was asked to.
#include "properties/probing/variants.hpp"

#include <gtest/gtest.h>

#include "tests/properties/drawn.hpp"
#include "tests/properties/rich_problem.hpp"

namespace attest::variants_test {
namespace {

TEST(Variants, CropAndFillEveryTensor) {
  const Problem p = open_problem(Format::f16, 3, 5, 2);
  const Inputs inputs = values_of("F0", p, 9);
  Problem other = p;
  other.n_k = 8;
  other.n_q = 2;
  other.heads_q = other.heads_k = 2;
  const Inputs repeated = reshaped(inputs, other, Filling::repeated);
  const Inputs zeros = reshaped(inputs, other, Filling::zeros);
  ASSERT_TRUE(has_shapes_of(repeated, other) && has_shapes_of(zeros, other));
  for (Index j = 0; j < 8; ++j) {
    const std::uint64_t own = inputs.k.view().bits(0, 0, j % 5, 1);
    EXPECT_EQ(repeated.k.view().bits(0, 1, j, 1), own);
    EXPECT_EQ(zeros.k.view().bits(0, 0, j, 1), j < 5 ? own : 0);
    EXPECT_EQ(zeros.k.view().bits(0, 1, j, 1), 0u);
  }
  EXPECT_EQ(repeated.q.view().bits(0, 1, 1, 0), inputs.q.view().bits(0, 0, 1, 0));
}

TEST(Variants, OfNothingAreZeros) {
  const Problem none = open_problem(Format::f16, 0, 0, 1);
  const Problem some = open_problem(Format::f16, 2, 2, 1);
  EXPECT_EQ(reshaped(zero_inputs(none), some, Filling::repeated), zero_inputs(some));
}

TEST(Variants, ConvertInputsAndLeaveTheGradientOfLse) {
  Problem p = rich_backward_problem();
  const Inputs inputs = values_of("F0", p, 3);
  const Inputs wide = converted(inputs, Format::f32);
  p.in = Format::f32;
  ASSERT_TRUE(has_shapes_of(wide, p));
  EXPECT_EQ(wide.glse, inputs.glse);
  EXPECT_EQ(wide.dout.view().value(1, 5, 4, 2), inputs.dout.view().value(1, 5, 4, 2));
  EXPECT_EQ(converted(wide, Format::f16), inputs);
}

TEST(Variants, ScaleByPowersOfTwo) {
  const Problem p = open_problem(Format::f16, 1, 3, 2);
  const Tensor v = values_of("F0", p, 3).v;
  EXPECT_EQ(scaled(v, 4).view().value(0, 0, 2, 1), 4 * v.view().value(0, 0, 2, 1));
  EXPECT_EQ(scaled(scaled(v, 2), 0.5), v);
}

TEST(Variants, KeepLengthsWithinTheirSizeAndOnePerEntry) {
  const Problem p = rich_problem();  // lq=5,3 of 5 rows; lk=4,9 of 9 keys
  EXPECT_EQ(with_size(p, &Problem::n_k, 6).lk, (std::vector<Index>{4, 6}));
  EXPECT_EQ(with_size(p, &Problem::batch, 3).lq, (std::vector<Index>{5, 3, 5}));
  EXPECT_EQ(with_size(p, &Problem::batch, 1).lk, std::vector<Index>{4});
  for (const Index size : {1, 2, 3, 8}) {
    EXPECT_EQ(defect_of(with_size(p, &Problem::batch, size)), "");
  }
}

}  // namespace
}  // namespace attest::variants_test
