// stand_in.hpp - a subject for tests of the harness: computes like another one, under a name of its
// own, with whatever a test wants to go differently.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/subject.hpp"
#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"

namespace attest {

// What a test may change.
struct StandInParts {
  std::string name = "stand-in";
  std::vector<Unit> units = {Unit::fp32_seq};
  std::optional<Unit> own_unit = {};
  RunOutcome outcome = {};                       // of each run
  std::function<void(Semantics&)> declare = {};  // changes what the other one declares
  std::function<void(Numerics&)> claim = {};     // likewise its arithmetic
  // Asked at each run whether it goes wrong at all; it does if nobody asks.
  std::function<bool(const RunSettings&)> when = {};
  // Runs after the computation, on its outputs.
  std::function<void(const Problem&, const ForwardOutputs&)> spoil = {};
  std::function<void(const Problem&, const BackwardOutputs&)> spoil_gradients = {};
};

class StandIn : public Subject {
 public:
  explicit StandIn(StandInParts parts, std::unique_ptr<Subject> computes = make_plain("plain"))
      : parts_(std::move(parts)), computes_(std::move(computes)) {}

  [[nodiscard]] std::string name() const override { return parts_.name; }

  [[nodiscard]] std::optional<Unit> own_unit() const override { return parts_.own_unit; }

  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    const bool offered = std::ranges::find(parts_.units, unit) != parts_.units.end();
    if (!offered) return parts_.name + " has no unit " + std::string(name_of(unit));
    return computes_->unsupported(problem, Unit::fp32_seq);
  }

  [[nodiscard]] Numerics numerics(const Problem& problem, Unit) const override {
    Numerics numerics = computes_->numerics(problem, Unit::fp32_seq);
    if (parts_.claim) parts_.claim(numerics);
    return numerics;
  }

  [[nodiscard]] Semantics semantics() const override {
    Semantics semantics = computes_->semantics();
    if (parts_.declare) parts_.declare(semantics);
    return semantics;
  }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    const bool wrong = !parts_.when || parts_.when(settings);
    if (wrong && parts_.outcome.kind != RunOutcome::Kind::ran) return parts_.outcome;
    const RunOutcome outcome = computes_->run(problem, inputs, outputs, at_home(settings));
    if (wrong && parts_.spoil) parts_.spoil(problem, outputs);
    return outcome;
  }

  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    const RunOutcome outcome = computes_->run_backward(problem, inputs, outputs, at_home(settings));
    const bool wrong = !parts_.when || parts_.when(settings);
    if (wrong && parts_.spoil_gradients) parts_.spoil_gradients(problem, outputs);
    return outcome;
  }

  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit) const override {
    return computes_->configurations(problem, Unit::fp32_seq);
  }
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit) const override {
    return computes_->numerics_in(configuration, problem, Unit::fp32_seq);
  }

 private:
  static RunSettings at_home(RunSettings settings) {
    settings.unit = Unit::fp32_seq;
    return settings;
  }

  StandInParts parts_;
  std::unique_ptr<Subject> computes_;
};

// A canary's own kernel, free of the catalogue's name for it.
[[nodiscard]] inline std::unique_ptr<Subject> kernel_of_canary(std::string_view name) {
  const auto found = std::ranges::find(canaries(), name, &Canary::name);
  return found->make();
}

// Moves a finite element by one.
inline void move_element(const TensorView& view, Index b, Index h, Index row, Index column) {
  const double moved = view.value(b, h, row, column) + 1;
  view.set_bits(b, h, row, column, round_to_bits(view.format, moved));
}

// Wrong wherever a row has a live key: every finite element of O is moved by one.
inline void move_by_one(const Problem& problem, const ForwardOutputs& outputs) {
  for (Index b = 0; b < problem.batch; ++b) {
    for (Index h = 0; h < problem.heads_q; ++h) {
      for (Index i = 0; i < problem.live_queries(b); ++i) {
        for (Index k = 0; k < problem.d_v; ++k) {
          move_element(outputs.o, b, h, i, k);
        }
      }
    }
  }
}

}  // namespace attest
