// Goal: as canary_forward_test.cpp, of the canaries whose steps round otherwise than they declare.
#include <cmath>

#include "tests/kernels/canary_runs.hpp"

namespace attest::replayed_canaries_test {
namespace {

TEST(PTruncated, CutsAWeight) {
  const Problem p = scored_problem(2);
  Inputs inputs = scored_inputs(p, {0, -1});
  fill(inputs.v, 0);
  set(inputs.v, 0, 0, 1, 0, 1);
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1102 * 0x1p-12);
  EXPECT_EQ(o_of(run_canary("canary/p-truncated", p, inputs)), 1101 * 0x1p-12);
}

TEST(PTruncated, IsRightWhereWeightsAreExact) {
  const Problem p = three_tiles();
  Inputs inputs = gaussian_inputs(p, 4);
  fill(inputs.k, 0);
  expect_harmless("canary/p-truncated", p, inputs);
}

TEST(OTruncated, CutsAnOutput) {
  const Problem p = scored_problem(2);
  Inputs inputs = scored_inputs(p, {1, -1});
  set(inputs.v, 0, 0, 1, 0, 0);
  EXPECT_EQ(o_of(run_plain(p, inputs)), 1804 * 0x1p-11);  // of 1803.9
  EXPECT_EQ(o_of(run_canary("canary/o-truncated", p, inputs)), 1803 * 0x1p-11);
}

TEST(OTruncated, IsRightWhereOIsAValueOfV) {
  Problem p = three_tiles();
  p.n_k = 1;
  expect_harmless("canary/o-truncated", p, gaussian_inputs(p, 5));
}

// 16 keys of score 0, and in the next tile one of score 1: O is 1 / (1 + 16 alpha).
TEST(M36Bf16Alpha, WeighsTilesWrongly) {
  const Problem p = scored_problem(17);
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  set(inputs.k, 0, 0, 16, 0, 1);
  set(inputs.v, 0, 0, 16, 0, 1);
  const double healthy = o_of(run_plain(p, inputs));
  EXPECT_EQ(healthy, round_to_format(Format::f16, 1 / (1 + 16 * std::exp(-1.0))));
  EXPECT_EQ(o_of(run_canary("canary/m36-bf16-alpha", p, inputs)),
            round_to_format(Format::f16, 1 / (1 + 16 * 188 * 0x1p-9)));
}

TEST(M36Bf16Alpha, IsRightInOneTile) {
  Problem p = three_tiles();
  p.n_k = 16;
  expect_harmless("canary/m36-bf16-alpha", p, gaussian_inputs(p, 6));
}

}  // namespace
}  // namespace attest::replayed_canaries_test
