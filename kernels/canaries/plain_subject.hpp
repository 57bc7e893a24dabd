// plain_subject.hpp - the plain kernel, healthy or with a fault, as a subject.
//
// A faulty subject declares the arithmetic and conventions of the healthy one: the lie is the
// fault. Forward and backward may have one each; most have it in one of them alone, which also
// keeps the number of kernels to compile small.
#pragma once

#include <optional>
#include <string>
#include <utility>

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
  explicit PlainSubject(std::string name, PlainConfig config = {})
      : name_(std::move(name)), config_(config) {}

  [[nodiscard]] std::string name() const override { return name_; }

  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    return plain_declines(problem, unit);
  }

  [[nodiscard]] Numerics numerics(const Problem& problem, Unit) const override {
    return numerics_of(config_, problem);
  }

  [[nodiscard]] Semantics semantics() const override { return plain_semantics(); }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings&) const override {
    run_plain<Forward>(problem, inputs, outputs, config_);
    return {};
  }

  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    run_plain_backward<Backward>(problem, inputs, outputs, config_, settings.schedule_seed);
    return {};
  }

 private:
  std::string name_;
  PlainConfig config_;
};

}  // namespace attest
