// Goal: the companion computes attention with S and P stored in 16 bits, each rounding where it is
// said to be.
#include "harness/studies/companion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"

namespace attest {
namespace {

TEST(Companion, IsNearTheExactAnswerOnGaussianValues) {
  for (std::uint64_t index = 0; index < 2; ++index) {
    const Case c = draw(1, index);
    const Inputs inputs = materialise(c);
    const Answer answer = enclose_forward(c.problem, inputs);
    const std::vector<double> o = companion_output(c.problem, inputs);
    ASSERT_EQ(o.size(), answer.o.size());
    for (std::size_t n = 0; n < o.size(); ++n) {
      if (answer.o_class[n] != OutputClass::finite) continue;
      EXPECT_NEAR(o[n], answer.o[n].lo, 0.05 * (1 + std::fabs(answer.o[n].lo))) << n;
    }
  }
}

// q = 1, k = 0 and 1/3 in f16 times a scale of 1/3: K, S and P are all rounded on the way.
TEST(Companion, StoresKAndSAndPInTheInputsFormat) {
  Problem p;
  p.n_k = 2;
  p.scale = 1.0f / 3;
  p.out = Format::f32;
  Inputs inputs = zero_inputs(p);
  const double k = round_to_format(Format::f16, 100.0 / 3);
  inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f16, 1));
  inputs.k.view().set_bits(0, 0, 1, 0, round_to_bits(Format::f16, k));
  inputs.v.view().set_bits(0, 0, 0, 0, round_to_bits(Format::f16, 1));
  const double s = round_to_format(Format::f16, k * static_cast<double>(p.scale));
  const double weight = round_to_format(Format::f16, std::exp(-s) / (1 + std::exp(-s)));
  EXPECT_EQ(companion_output(p, inputs), std::vector<double>{weight});
  EXPECT_GT(std::fabs(s - 100.0 / 9), 1e-4);
}

TEST(Companion, LeavesZeroInRowsWithoutALiveKey) {
  Problem p;
  p.n_q = 2;
  p.right = 0;
  p.align = Align::bottom_right;  // row 0 sees no key
  Inputs inputs = zero_inputs(p);
  inputs.v.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, 3));
  EXPECT_EQ(companion_output(p, inputs), (std::vector<double>{0, 3}));
}

}  // namespace
}  // namespace attest
