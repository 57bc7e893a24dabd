#include "harness/subjects/isolated_subject.hpp"

#include <utility>

namespace attest {
namespace {

class IsolatedSubject final : public Subject {
 public:
  IsolatedSubject(const Subject& bundled, std::shared_ptr<IsolatedCalls> calls)
      : bundled_(bundled), calls_(std::move(calls)) {}

  [[nodiscard]] std::string name() const override { return bundled_.name(); }
  [[nodiscard]] Semantics semantics() const override { return bundled_.semantics(); }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    return bundled_.unsupported(problem, unit);
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    return bundled_.numerics(problem, unit);
  }
  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit unit) const override {
    return bundled_.configurations(problem, unit);
  }
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit unit) const override {
    return bundled_.numerics_in(configuration, problem, unit);
  }

  RunOutcome run(const Problem& problem, const ForwardInputs& in, const ForwardOutputs& out,
                 const RunSettings& settings) const override {
    return calls_->run(problem, WorkerStep::forward, policy(settings), {in.q, in.k, in.v},
                       {out.o, out.lse}, settings);
  }

  RunOutcome run_backward(const Problem& problem, const BackwardInputs& in,
                          const BackwardOutputs& out, const RunSettings& settings) const override {
    std::vector<ConstTensorView> inputs = {in.q, in.k, in.v, in.o, in.lse, in.dout};
    if (in.glse) inputs.push_back(*in.glse);
    return calls_->run(problem, WorkerStep::backward, policy(settings), inputs,
                       {out.dq, out.dk, out.dv}, settings);
  }

 private:
  // The emulator repeats every bit under one seed; a device need not.
  [[nodiscard]] CallPolicy policy(const RunSettings& settings) const {
    CallPolicy policy;
    policy.subject = bundled_.name();
    policy.deterministic = settings.unit != Unit::device;
    policy.semantics = bundled_.semantics();
    return policy;
  }

  const Subject& bundled_;
  std::shared_ptr<IsolatedCalls> calls_;
};

}  // namespace

std::unique_ptr<Subject> isolated(const Subject& bundled, std::shared_ptr<IsolatedCalls> calls) {
  return std::make_unique<IsolatedSubject>(bundled, std::move(calls));
}

}  // namespace attest
