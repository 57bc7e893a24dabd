// callee.hpp - what a worker holds for its caller: a plug-in, or the bundled subjects.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/subjects/isolation/messages.hpp"

namespace attest {

// Addresses of the tensors of call_shapes.hpp, row-major; workspace is null where none was asked.
struct CallMemory {
  std::vector<std::byte*> inputs, outputs;
  std::byte* workspace = nullptr;
  std::uint64_t workspace_bytes = 0;
};

class Callee {
 public:
  Callee() = default;
  Callee(const Callee&) = delete;
  Callee& operator=(const Callee&) = delete;
  virtual ~Callee() = default;

  // Kind failed, with a sentence, where there is nothing to describe.
  [[nodiscard]] virtual WorkerReply describe() = 0;
  [[nodiscard]] virtual WorkerReply workspace(const WorkerRequest& request,
                                              const Problem& problem) = 0;
  [[nodiscard]] virtual WorkerReply call(const WorkerRequest& request, const Problem& problem,
                                         const CallMemory& memory) = 0;
};

// The subjects of harness/subjects/catalogue.hpp, which describe themselves at home.
[[nodiscard]] std::unique_ptr<Callee> bundled_callee();

}  // namespace attest
