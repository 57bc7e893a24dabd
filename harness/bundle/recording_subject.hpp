// recording_subject.hpp - a subject that remembers what it was asked and what came out.
//
// A law may judge another call than the case's own: with V = 1, one key, a slice. Who wants to show
// that call to somebody has to have its numbers.
#pragma once

#include <vector>

#include "core/case.hpp"
#include "core/subject.hpp"
#include "properties/execution.hpp"

namespace attest {

struct WatchedCall {
  Problem problem;
  Inputs inputs;    // dO and gL of a backward only
  Outputs outputs;  // of a backward also the O and LSE that it started from
  bool backward = false;
};

// For one thread at a time. Computes as `subject` does, which outlives it.
class RecordingSubject final : public Subject {
 public:
  explicit RecordingSubject(const Subject& subject) : subject_(subject) {}

  [[nodiscard]] const std::vector<WatchedCall>& calls() const { return calls_; }

  [[nodiscard]] std::string name() const override { return subject_.name(); }
  [[nodiscard]] std::optional<Unit> own_unit() const override { return subject_.own_unit(); }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    return subject_.unsupported(problem, unit);
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    return subject_.numerics(problem, unit);
  }
  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit unit) const override {
    return subject_.configurations(problem, unit);
  }
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit unit) const override {
    return subject_.numerics_in(configuration, problem, unit);
  }
  [[nodiscard]] Semantics semantics() const override { return subject_.semantics(); }
  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override;
  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override;

 private:
  const Subject& subject_;
  mutable std::vector<WatchedCall> calls_;
};

}  // namespace attest
