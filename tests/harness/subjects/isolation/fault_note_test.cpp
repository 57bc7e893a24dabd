// Goal: the address of a fault becomes the tensor, the side and the distance.
#include "harness/subjects/isolation/fault_note.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "harness/subjects/isolation/arena.hpp"

namespace attest::fault_note_test {
namespace {

using Kind = RunOutcome::Kind;

WorkerRequest forward_call() {
  WorkerRequest request;
  request.step = WorkerStep::forward;
  SliceLayout layout(Edge::right);
  for (int n = 0; n < 3; ++n) request.inputs.push_back(layout.place(100, 2, false));
  for (int n = 0; n < 2; ++n) request.outputs.push_back(layout.place(100, 2, true));
  request.workspace = layout.place(64, 16, true);
  return request;
}

RunOutcome explained(std::uint64_t offset, bool is_write) {
  return explain_fault({SIGSEGV, offset, is_write ? 1U : 0U}, forward_call());
}

TEST(FaultNote, NamesTheTensorTheSideAndTheDistance) {
  const WorkerRequest call = forward_call();
  const Slice& k = call.inputs[1];
  const Slice& o = call.outputs[0];
  const RunOutcome past = explained(k.address + k.begin + k.size, false);
  EXPECT_EQ(past.kind, Kind::out_of_bounds);
  EXPECT_EQ(past.detail, "read byte 1 past the end of k");
  EXPECT_EQ(explained(o.address - 2, true).detail,
            "wrote byte " + std::to_string(o.begin + 2) + " before the start of o");
  EXPECT_EQ(explained(call.workspace->address + kPageBytes + 8, true).detail,
            "wrote byte 9 past the end of the workspace");
}

TEST(FaultNote, TellsAWriteToAnInputFromAStrayOne) {
  const Slice q = forward_call().inputs[0];
  const RunOutcome changed = explained(q.address + q.begin + 6, true);
  EXPECT_EQ(changed.kind, Kind::changed_inputs);
  EXPECT_EQ(changed.detail, "wrote to q, byte 6");
}

TEST(FaultNote, CallsEverythingElseACrash) {
  for (const std::uint64_t offset : {std::uint64_t{1} << 40, ~std::uint64_t{0} - 100}) {
    const RunOutcome outcome = explained(offset, false);
    EXPECT_EQ(outcome.kind, Kind::crashed);
    EXPECT_EQ(outcome.detail, "ended by signal 11");
  }
}

}  // namespace
}  // namespace attest::fault_note_test
