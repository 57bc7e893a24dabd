// isolated_calls.hpp - one run of a subject in workers, as several calls that have to agree.
//
// 1. with other values of the same shape: nothing of it may be left in the next one
// 2. the values, at the same addresses: its outputs are the run's
// 3. the values at other addresses, with another poison in outputs and workspace
// 4. where bits are promised to repeat: as 2, in another process, while 3 runs
// 5. where they are promised not to depend on the batch: the last entry of it alone
//
// In all but 3 tensors end where their pages end, there they begin where these begin (arena.hpp).
#pragma once

#include <memory>
#include <vector>

#include "core/subject.hpp"
#include "harness/subjects/isolation/placed_call.hpp"

namespace attest {

class IsolatedCalls {
 public:
  explicit IsolatedCalls(WorkerPlan plan) : pool_(std::make_unique<WorkerPool>(std::move(plan))) {}

  // Views as call_shapes.hpp orders them. May be called from several threads at once. Where the run
  // did not end well its workers are replaced.
  [[nodiscard]] RunOutcome run(const Problem& problem, WorkerStep step, const CallPolicy& policy,
                               const std::vector<ConstTensorView>& inputs,
                               const std::vector<TensorView>& outputs,
                               const RunSettings& settings) const;

  [[nodiscard]] WorkerPool& pool() const { return *pool_; }

 private:
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace attest
