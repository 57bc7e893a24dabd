// Goal: the small faults act on ordinary data, each where its name says, and stay as small as
// rounding: that is what makes them a measure of a budget's sharpness.
#include "tests/kernels/small_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/canaries/plain.hpp"
#include "tests/kernels/runs.hpp"

namespace attest::small_faults_test {
namespace {

double largest_difference(const Tensor& a, const Tensor& b) {
  double largest = 0;
  for_each(a.extents(), [&](Index at_b, Index h, Index row, Index column) {
    largest = std::max(largest, std::fabs(a.view().value(at_b, h, row, column) -
                                          b.view().value(at_b, h, row, column)));
  });
  return largest;
}

Problem gaussian_problem() {
  Problem p;
  p.n_q = 8;
  p.n_k = 256;
  p.d_qk = p.d_v = 64;
  p.out = Format::f32;
  p.scale = default_scale(64);
  return p;
}

TEST(SmallFaults, MoveLseOnGaussianDataByLittle) {
  const Problem p = gaussian_problem();
  const Inputs inputs = gaussian_inputs(p, 1);
  const Result healthy = run(*make_plain("plain"), p, inputs);
  const auto faults = small_faults();
  ASSERT_EQ(faults.size(), 7u);
  for (const auto& fault : faults) {
    const Result faulty = run(*fault, p, inputs);
    const double moved = largest_difference(faulty.lse, healthy.lse);
    EXPECT_GT(moved, 2e-5) << fault->name();  // healthy error: below 1e-6
    EXPECT_LT(moved, 5e-2) << fault->name();
    EXPECT_LT(largest_difference(faulty.o, healthy.o), 5e-2) << fault->name();
    EXPECT_EQ(fault->numerics(p, Unit::fp32_seq), make_plain("plain")->numerics(p, Unit::fp32_seq));
  }
}

TEST(SmallFaults, LastKeyDroppedTouchesOneRow) {
  const Problem p = gaussian_problem();
  const Inputs inputs = gaussian_inputs(p, 1);
  const Result healthy = run(*make_plain("plain"), p, inputs);
  const Result faulty = run(PlainSubject<LastKeyDropped>("fault/last-key-dropped"), p, inputs);
  for (Index i = 0; i < p.n_q; ++i) {
    EXPECT_EQ(faulty.lse.view().bits(0, 0, i, 0) == healthy.lse.view().bits(0, 0, i, 0), i != 0);
  }
  const Problem one_key = scored_problem(1);
  const Inputs only = scored_inputs(one_key, {1});
  EXPECT_EQ(run(PlainSubject<LastKeyDropped>("fault/last-key-dropped"), one_key, only),
            run(*make_plain("plain"), one_key, only));
}

TEST(SmallFaults, CubicExp2HasTheErrorItIsNamedFor) {
  double largest = 0;
  for (int n = 0; n < (1 << 16); ++n) {
    const float z = -20.0f * static_cast<float>(n) / (1 << 16);
    largest = std::max(largest, std::fabs(CubicExp2::exp2(z) / std::exp2(double{z}) - 1));
  }
  EXPECT_GT(largest, 8.5e-5);
  EXPECT_LT(largest, 8.7e-5);
  EXPECT_EQ(CubicExp2::exp2(0), 1);
  EXPECT_EQ(CubicExp2::exp2(kMinusInfinity), 0);
}

}  // namespace
}  // namespace attest::small_faults_test
