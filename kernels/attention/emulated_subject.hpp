// emulated_subject.hpp - a kernel of the machine, run by the emulator, as a subject.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/subject.hpp"
#include "kernels/machine/emulator.hpp"

namespace attest {

// What makes one such subject.
struct EmulatedForm {
  std::string name;
  std::function<void(Emulator&, const Problem&, const ForwardInputs&, const ForwardOutputs&)> run;
  // Empty: there is none, and pass=bwd is declined.
  std::function<void(Emulator&, const Problem&, const BackwardInputs&, const BackwardOutputs&)>
      run_backward;
  std::function<std::optional<std::string>(const Problem&)> declines;
  std::function<Numerics(const Problem&)> numerics;  // the unit is filled in
  Exp2Model exp2{};                                  // what exp2_approx computes
  // Other ways to compute a problem: of each the name, both runs, numerics and exp2 count.
  std::function<std::vector<EmulatedForm>(const Problem&)> configurations = {};
};

class EmulatedSubject final : public Subject {
 public:
  explicit EmulatedSubject(EmulatedForm form) : form_(std::move(form)) {}

  [[nodiscard]] std::string name() const override { return form_.name; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override;
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override;
  [[nodiscard]] Semantics semantics() const override;
  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit unit) const override;
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit unit) const override;
  // broke_rules where the emulator has findings, with all of them in the detail.
  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override;
  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override;

 private:
  // The form of that name among the problem's configurations; the own one for none.
  [[nodiscard]] EmulatedForm form_in(const std::string& configuration,
                                     const Problem& problem) const;

  EmulatedForm form_;
};

// For a list of subjects.
struct DescribedSubject {
  std::string about;  // one sentence
  std::unique_ptr<Subject> subject;
};

// The declaration that all kernels of the machine have in common; what remains is null.
[[nodiscard]] Numerics machine_numerics(const Problem& problem);

}  // namespace attest
