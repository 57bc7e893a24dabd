// Goal: a recording changes no bit and keeps each call with its numbers, whatever their strides.
#include "harness/bundle/recording_subject.hpp"

#include <gtest/gtest.h>

#include "properties/draw.hpp"
#include "tests/harness/bundle/failing.hpp"

namespace attest::recording_subject_test {
namespace {

TEST(RecordingSubject, KeepsTheForwardAndTheBackwardAsTwoCalls) {
  const Case c = parse_case(kBackward);
  const Inputs inputs = materialise(c);
  const RecordingSubject recording(bundled("plain"));
  EXPECT_EQ(recording.name(), "plain");
  const Execution run = execute(recording, c.problem, inputs, {});
  EXPECT_EQ(run.outputs, execute(bundled("plain"), c.problem, inputs, {}).outputs);
  ASSERT_EQ(recording.calls().size(), 2u);
  const WatchedCall& forward = recording.calls()[0];
  const WatchedCall& backward = recording.calls()[1];
  EXPECT_FALSE(forward.backward);
  EXPECT_TRUE(backward.backward);
  EXPECT_EQ(forward.outputs.o, run.outputs.o);
  EXPECT_EQ(forward.inputs.q, inputs.q);
  EXPECT_EQ(backward.inputs, inputs);
  EXPECT_EQ(backward.outputs, run.outputs);
}

TEST(RecordingSubject, CopiesAStridedTensorRowByRow) {
  const Case c = parse_case(kCausal);
  const Inputs inputs = materialise(c);
  const RecordingSubject recording(bundled("plain"));
  Outputs outputs = poisoned_outputs(c.problem);
  ConstTensorView reversed = inputs.k.view();
  reversed.data += (reversed.extents[2] - 1) * reversed.strides[2] * bytes_of(reversed.format);
  reversed.strides[2] = -reversed.strides[2];
  (void)recording.run(c.problem, {inputs.q.view(), reversed, inputs.v.view()},
                      {outputs.o.view(), outputs.lse.view()}, {});
  const Tensor& k = recording.calls().front().inputs.k;
  EXPECT_EQ(k.view().bits(0, 0, 0, 2), inputs.k.view().bits(0, 0, 8, 2));
}

}  // namespace
}  // namespace attest::recording_subject_test
