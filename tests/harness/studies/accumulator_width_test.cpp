// Goal: the judge sees an FP16 accumulator where its loss is systematic, and says so in both
// formats; binary32 is never rejected.
#include "harness/studies/accumulator_width.hpp"

#include <gtest/gtest.h>

namespace attest::accumulator_width_test {
namespace {

void expect_verdicts(AccumulatedData data, Index keys, Verdict of_fp16) {
  const std::vector<AccumulatorPoint> points = accumulate(data, keys);
  EXPECT_EQ(points.size(), 4U);
  for (const AccumulatorPoint& point : points) {
    EXPECT_EQ(point.verdict, point.wide ? Verdict::accept : of_fp16)
        << name_of(data) << ' ' << shape_of(point.format).name << ' ' << keys;
  }
}

TEST(AccumulatorWidth, OfFp16IsRejectedOnEqualScoresWithVOfAHundred) {
  for (const Index keys : {1024, 1500, 2048, 4096}) {
    expect_verdicts(AccumulatedData::equal_v_100, keys, Verdict::reject);
  }
}

TEST(AccumulatorWidth, OfFp16IsRejectedOnEqualScoresWithVOfOneOnceTheSumStandsStill) {
  for (const Index keys : {4096, 5000, 8192}) {
    expect_verdicts(AccumulatedData::equal_v_1, keys, Verdict::reject);
  }
  expect_verdicts(AccumulatedData::equal_v_1, 2048, Verdict::accept);  // every sum is exact
}

// The same fault, and no budget shows it: P in bf16 is rounded more coarsely than the sum.
TEST(AccumulatorWidth, OfFp16PassesOnGaussianDataInBf16) {
  for (const Index keys : {64, 512, 2048}) {
    for (const AccumulatorPoint& point : accumulate(AccumulatedData::gaussian, keys)) {
      if (!point.wide && point.format == Format::f16) continue;
      EXPECT_EQ(point.rejected, 0) << keys;
      EXPECT_EQ(point.verdict, Verdict::accept) << keys;
    }
  }
}

}  // namespace
}  // namespace attest::accumulator_width_test
