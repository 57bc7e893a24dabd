// placed_call.hpp - one problem's tensors in the memory of a worker: how they are laid out, filled
// before a call, and looked at after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/subject.hpp"
#include "harness/subjects/isolation/arena.hpp"
#include "harness/subjects/isolation/call_shapes.hpp"
#include "harness/subjects/isolation/worker.hpp"

namespace attest {

// What of a subject matters here and in isolated_calls.hpp.
struct CallPolicy {
  std::string subject;  // as its worker knows it
  Index alignment = 1;  // of tensors, in bytes, beyond that of their elements
  bool deterministic = false;
  bool batch_invariant = false;
  bool asks_workspace = false;
  Semantics semantics;  // says which rows need not be written
};

// Places everything twice: at the right edge of its pages, and, elsewhere, at the left one.
class PlacedCall {
 public:
  // Requires: problem and policy outlive this; step is forward or backward.
  PlacedCall(const Problem& problem, WorkerStep step, const CallPolicy& policy,
             const RunSettings& settings);

  // Asks for the workspace, if the subject has to be asked, and lays everything out.
  [[nodiscard]] RunOutcome prepare(WorkerPool& pool);
  [[nodiscard]] std::uint64_t arena_bytes() const { return arena_bytes_; }  // once prepared
  [[nodiscard]] const std::vector<CallShape>& inputs() const { return in_; }
  [[nodiscard]] const std::vector<CallShape>& outputs() const { return out_; }

  // Fills the worker's memory and sends the call.
  void send(Worker& worker, Edge edge, const std::vector<Bytes>& values, Poison poison) const;
  // Waits for the reply, and looks whether inputs and guards are as they were.
  [[nodiscard]] RunOutcome receive(Worker& worker, Edge edge,
                                   const std::vector<Bytes>& values) const;
  // What stands in the outputs now.
  [[nodiscard]] std::vector<Bytes> written(const Worker& worker, Edge edge) const;

 private:
  struct Placed {
    std::vector<Slice> inputs, outputs;
    std::optional<Slice> workspace;
  };

  [[nodiscard]] Placed place(SliceLayout& layout, std::uint64_t workspace) const;
  [[nodiscard]] const Placed& at(Edge edge) const {
    return edge == Edge::right ? at_right_ : at_left_;
  }

  const CallPolicy& policy_;
  std::vector<CallShape> in_, out_;
  WorkerRequest request_;
  Placed at_right_, at_left_;
  std::uint64_t arena_bytes_ = 0;
};

}  // namespace attest
