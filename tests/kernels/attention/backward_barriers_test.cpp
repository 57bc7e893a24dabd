// Goal: no barrier of the backward is there for nothing. Each is left out in turn; the race
// detector must see it, and the whole kernels must be clean on the same case.
#include <gtest/gtest.h>

#include "kernels/attention/backward_run.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "tests/kernels/attention/backward_shapes.hpp"
#include "tests/kernels/attention/reported_backward.hpp"

namespace attest::backward_barriers_test {
namespace {

constexpr BackwardConfig kSecondPass{}, kAtomicSums{.dq = DqBy::atomic_sums};
static_assert(BackwardDkDv<Fp16, 64, kSecondPass>::kBarriers == 2, "leave the new one out, too");
static_assert(BackwardDq<Fp16, 64, kSecondPass>::kBarriers == 4, "leave the new one out, too");

template <BackwardConfig kWhole, int kOmitted>
RunReport report_without() {
  const Problem p = backward_shape(70, 70, 64, 64);
  const Inputs inputs = gaussian_inputs(p, 3);
  const Result forward = run_reported(run_tiled_form<0>, p, inputs).result;
  const RunBackward launch = [](Emulator& machine, const Problem& problem, const BackwardInputs& in,
                                const BackwardOutputs& out) {
    launch_backward<Fp16, 64, BackwardConfig{kWhole.dq, kOmitted}>(machine, problem, in, out, {});
  };
  return run_reported(launch, p, inputs, forward).report;
}

TEST(BackwardBarriers, AreAllNeededWhereASecondPassSumsDq) {
  EXPECT_TRUE((report_without<kSecondPass, 0>().clean()));
  EXPECT_TRUE(has(report_without<kSecondPass, 1>(), Finding::Kind::race));
  EXPECT_TRUE(has(report_without<kSecondPass, 2>(), Finding::Kind::race));
  EXPECT_TRUE(has(report_without<kSecondPass, 3>(), Finding::Kind::race));
  EXPECT_TRUE(has(report_without<kSecondPass, 4>(), Finding::Kind::race));
}

TEST(BackwardBarriers, AreAllNeededWhereAtomicsSumDq) {
  EXPECT_TRUE((report_without<kAtomicSums, 0>().clean()));
  EXPECT_TRUE(has(report_without<kAtomicSums, 1>(), Finding::Kind::race));
  EXPECT_TRUE(has(report_without<kAtomicSums, 2>(), Finding::Kind::race));
}

}  // namespace
}  // namespace attest::backward_barriers_test
