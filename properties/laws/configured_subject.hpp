// configured_subject.hpp - one configuration of a subject, as a subject: what judges any other can
// judge it, by its own declaration.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/subject.hpp"

namespace attest {

// Requires: `subject` outlives this, offers the configuration for every problem that this is asked
// to compute, and computes what it offers.
class ConfiguredSubject final : public Subject {
 public:
  ConfiguredSubject(const Subject& subject, std::string configuration)
      : subject_(subject), configuration_(std::move(configuration)) {}

  [[nodiscard]] std::string name() const override { return subject_.name(); }
  [[nodiscard]] std::optional<Unit> own_unit() const override { return subject_.own_unit(); }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    return subject_.unsupported(problem, unit);
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    return subject_.numerics_in(configuration_, problem, unit);
  }
  [[nodiscard]] Semantics semantics() const override { return subject_.semantics(); }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    return subject_.run(problem, inputs, outputs, configured(settings));
  }
  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    return subject_.run_backward(problem, inputs, outputs, configured(settings));
  }

 private:
  [[nodiscard]] RunSettings configured(RunSettings settings) const {
    settings.configuration = configuration_;
    return settings;
  }

  const Subject& subject_;
  std::string configuration_;
};

}  // namespace attest
