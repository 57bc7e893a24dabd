#include "kernels/attention/emulated_subject.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace attest {
namespace {

RunOutcome run_emulated(const EmulatedForm& form, const RunSettings& settings,
                        const std::function<void(Emulator&)>& run) {
  const std::optional<MatrixUnit> unit = matrix_unit_of(settings.unit);
  ATTEST_EXPECTS(unit.has_value());
  Emulation emulation;
  emulation.unit = *unit;
  emulation.exp2 = form.exp2;
  emulation.schedule_seed = settings.schedule_seed;
  emulation.threads = settings.threads;
  emulation.detect_races = settings.watch;
  Emulator emulator(emulation);
  run(emulator);
  const RunReport report = emulator.report();
  if (report.clean()) return {RunOutcome::Kind::ran, "", report.memory};
  std::string detail;
  for (const Finding& finding : report.findings) {
    if (!detail.empty()) detail += '\n';
    detail += describe(finding);
  }
  return {RunOutcome::Kind::broke_rules, detail, report.memory};
}

}  // namespace

std::optional<std::string> EmulatedSubject::unsupported(const Problem& problem, Unit unit) const {
  if (!matrix_unit_of(unit)) {
    return "the kernel runs in the emulator only, which has no unit " + std::string(name_of(unit));
  }
  if (problem.pass == Pass::bwd && !form_.run_backward) return "the kernel has no backward";
  return form_.declines(problem);
}

Numerics EmulatedSubject::numerics(const Problem& problem, Unit unit) const {
  Numerics n = form_.numerics(problem);
  n.unit = unit;
  return n;
}

std::vector<std::string> EmulatedSubject::configurations(const Problem& problem, Unit) const {
  std::vector<std::string> names;
  if (!form_.configurations) return names;
  for (const EmulatedForm& form : form_.configurations(problem)) names.push_back(form.name);
  return names;
}

EmulatedForm EmulatedSubject::form_in(const std::string& configuration,
                                      const Problem& problem) const {
  if (configuration.empty()) return form_;
  ATTEST_EXPECTS(form_.configurations != nullptr);
  const std::vector<EmulatedForm> forms = form_.configurations(problem);
  const auto form = std::ranges::find(forms, configuration, &EmulatedForm::name);
  ATTEST_EXPECTS(form != forms.end());
  return *form;
}

Numerics EmulatedSubject::numerics_in(const std::string& configuration, const Problem& problem,
                                      Unit unit) const {
  Numerics n = form_in(configuration, problem).numerics(problem);
  n.unit = unit;
  return n;
}

Semantics EmulatedSubject::semantics() const {
  Semantics semantics;
  semantics.dead_o = DeadO::zero;
  semantics.dead_lse = DeadLse::minus_inf;
  semantics.nonfinite = NonFinite::propagate;  // 0 x NaN, within a tile of keys
  semantics.beyond_lengths = BeyondLengths::zero;
  return semantics;
}

RunOutcome EmulatedSubject::run(const Problem& problem, const ForwardInputs& inputs,
                                const ForwardOutputs& outputs, const RunSettings& settings) const {
  const EmulatedForm form = form_in(settings.configuration, problem);
  return run_emulated(form, settings,
                      [&](Emulator& machine) { form.run(machine, problem, inputs, outputs); });
}

RunOutcome EmulatedSubject::run_backward(const Problem& problem, const BackwardInputs& inputs,
                                         const BackwardOutputs& outputs,
                                         const RunSettings& settings) const {
  const EmulatedForm form = form_in(settings.configuration, problem);
  ATTEST_EXPECTS(form.run_backward != nullptr);
  return run_emulated(form, settings, [&](Emulator& machine) {
    form.run_backward(machine, problem, inputs, outputs);
  });
}

Numerics machine_numerics(const Problem& problem) {
  Numerics n;
  n.scale_at = ScaleAt{};
  n.c = ConstantRounding::once;
  n.p_format = problem.in;
  n.p_truncated = false;
  n.order = TileOrder::ascending;
  n.divide = Divide::exact;
  n.o_format = problem.out;
  n.o_rounding = Rounding::nearest_even;
  n.lse_format = Format::f32;
  n.ftz = false;
  n.o_ftz = false;
  n.dot_order = DotOrder::ascending;
  return n;
}

}  // namespace attest
