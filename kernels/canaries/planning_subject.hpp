// planning_subject.hpp - the plain kernel behind a cache of plans, which takes too much from them.
//
// The only subject with a memory: that is the fault. A plan is kept for each shape, for as long as
// the subject lives, and the fault says what of a later problem it overrides.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "core/subject.hpp"
#include "kernels/canaries/plain_subject.hpp"

namespace attest {

template <class Fault>
class PlanningSubject final : public Subject {
 public:
  explicit PlanningSubject(std::string name) : plain_(std::move(name)) {}

  [[nodiscard]] std::string name() const override { return plain_.name(); }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    return plain_.unsupported(problem, unit);
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    return plain_.numerics(problem, unit);
  }
  [[nodiscard]] Semantics semantics() const override { return plain_.semantics(); }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    return plain_.run(planned(problem), inputs, outputs, settings);
  }
  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    return plain_.run_backward(problem, inputs, outputs, settings);
  }

 private:
  [[nodiscard]] Problem planned(Problem problem) const {
    Problem shape = problem;
    shape.scale = 1;
    shape.left = shape.right = kUnlimited;
    shape.align = Align::top_left;
    const std::lock_guard lock(mutex_);
    const auto plan = plans_.try_emplace(to_string(shape), problem).first;
    Fault::take_from(plan->second, problem);
    return problem;
  }

  PlainSubject<NoFault> plain_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Problem> plans_;
};

}  // namespace attest
