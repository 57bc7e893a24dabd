// kernel_test.cpp - a kernel's own tests: it is accepted, and the same tests see the one with a
// bug.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <attest/matcher.hpp>

#include <random>

#include "kernel.hpp"

namespace {

using Bits = std::vector<std::uint16_t>;

Bits drawn(std::size_t count, unsigned seed) {
  std::mt19937 dice(seed);
  std::normal_distribution<float> normal;
  Bits bits(count);
  for (std::uint16_t& one : bits) one = narrow(normal(dice));
  return bits;
}

// One call of the kernel on values of this test.
struct Call {
  static constexpr Sizes kSizes = {40, 100, 32, 16, 0.1767767f};
  Bits q = drawn(40 * 32, 1), k = drawn(100 * 32, 2), v = drawn(100 * 16, 3), o = Bits(40 * 16);
  std::vector<float> lse = std::vector<float>(40);

  explicit Call(Fault fault = Fault::none) {
    attend(kSizes, q.data(), k.data(), v.data(), o.data(), lse.data(), fault);
  }
  attest::Forward computed() const {
    attest::Problem problem;
    problem.n_q = kSizes.queries;
    problem.n_k = kSizes.keys;
    problem.d_qk = kSizes.columns_qk;
    problem.d_v = kSizes.columns_v;
    problem.in = problem.out = attest::Element::bf16;
    problem.scale = kSizes.scale;
    return {problem, q.data(), k.data(), v.data(), o.data(), lse.data()};
  }
};

TEST(Kernel, IsRightOnTheseValues) {
  const Call call;
  EXPECT_THAT(call.computed(), attest::IsAccepted(kNumerics, kSemantics));
}

TEST(Kernel, IsRightOnStoredAndFreshCases) {
  EXPECT_THAT(attest::Plugin(STREAMING_PLUGIN "#streaming", {"--cases", "28"}),
              attest::IsAccepted());
}

// What a failure looks like, for whom the next two lines are: delete EXPECT_NONFATAL_FAILURE to see
// the whole of it.
TEST(KernelWithABug, IsRejectedOnTheseValues) {
  static const Call call(Fault::last_key_dropped);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(call.computed(), attest::IsAccepted(kNumerics, kSemantics)),
                          "REJECT  outputs bf16 fp32-seq  law accuracy  element lse[");
}

TEST(KernelWithABug, IsRejectedOnStoredAndFreshCases) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(attest::Plugin(STREAMING_PLUGIN "#last-key-dropped", {"--cases", "4"}),
                  attest::IsAccepted()),
      "\n  again      attest replay 'attest1:");
}

TEST(Program, GivesNoVerdictOnWhatIsNoKernel) {
  EXPECT_THROW((void)attest::check(attest::Plugin("./nowhere.so")), std::runtime_error);
}

}  // namespace
