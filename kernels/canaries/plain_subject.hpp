// plain_subject.hpp - the plain kernel, healthy or with a fault, as a subject.
//
// A faulty subject declares the arithmetic and conventions of the healthy one: the lie is the
// fault. Forward and backward may have one each; most have it in one of them alone, which also
// keeps the number of kernels to compile small.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/subject.hpp"
#include "kernels/canaries/plain_backward.hpp"
#include "kernels/canaries/plain_kernel.hpp"

namespace attest {

// A sentence where the plain kernel cannot compute the problem on the unit.
[[nodiscard]] std::optional<std::string> plain_declines(const Problem& problem, Unit unit);

// Dead rows are 0 and -inf, rows beyond the length likewise; a NaN stays in its rows. Gradients
// that no live pair reaches are 0.
[[nodiscard]] Semantics plain_semantics();

template <class Forward, class Backward = NoFault>
class PlainSubject final : public Subject {
 public:
  explicit PlainSubject(std::string name, PlainConfig config = {}, bool offers = false)
      : name_(std::move(name)), config_(config), offers_(offers) {}

  [[nodiscard]] std::string name() const override { return name_; }

  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    return plain_declines(problem, unit);
  }

  [[nodiscard]] Numerics numerics(const Problem& problem, Unit) const override {
    return numerics_of(config_, problem);
  }

  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit) const override {
    std::vector<std::string> names;
    if (!offers_) return names;
    for (NamedPlainConfig& other : other_configs(config_, problem)) {
      names.push_back(std::move(other.name));
    }
    return names;
  }

  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit) const override {
    return numerics_of(config_in(configuration, problem), problem);
  }

  [[nodiscard]] Semantics semantics() const override { return plain_semantics(); }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    const PlainConfig config = config_in(settings.configuration, problem);
    run_plain<Forward>(problem, inputs, outputs, config);
    return {};
  }

  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    const PlainConfig config = config_in(settings.configuration, problem);
    run_plain_backward<Backward>(problem, inputs, outputs, config, settings.schedule_seed);
    return {};
  }

 private:
  [[nodiscard]] PlainConfig config_in(const std::string& configuration,
                                      const Problem& problem) const {
    if (configuration.empty()) return config_;
    for (const NamedPlainConfig& other : other_configs(config_, problem)) {
      if (other.name == configuration) return other.config;
    }
    contract_broken("a configuration that is offered", __FILE__, __LINE__);
  }

  std::string name_;
  PlainConfig config_;
  bool offers_;  // its configurations
};

}  // namespace attest
