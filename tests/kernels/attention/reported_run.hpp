// reported_run.hpp - a kernel run in the emulator, with what the emulator saw.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/machine/emulator.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {

using RunForm = void (*)(Emulator&, const Problem&, const ForwardInputs&, const ForwardOutputs&);

struct ReportedRun {
  Result result;
  RunReport report;
};

inline ReportedRun run_reported(RunForm form, const Problem& p, const Inputs& inputs,
                                const Emulation& emulation = {}) {
  ReportedRun run{{Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.lse_extents())}, {}};
  for (Tensor* tensor : {&run.result.o, &run.result.lse}) {
    std::ranges::fill(tensor->bytes(), std::byte{0xff});  // NaN everywhere
  }
  Emulator emulator(emulation);
  form(emulator, p, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
       {run.result.o.view(), run.result.lse.view()});
  run.report = emulator.report();
  return run;
}

inline std::string findings_of(const RunReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) text += describe(finding) + '\n';
  return text;
}

inline bool has(const RunReport& report, Finding::Kind kind) {
  return std::ranges::any_of(report.findings,
                             [&](const Finding& finding) { return finding.kind == kind; });
}

// Nothing when the run named no such tensor.
inline std::optional<Traffic> traffic_of(const RunReport& report, std::string_view tensor) {
  for (const TensorTraffic& each : report.memory.traffic) {
    if (each.tensor == tensor) return each.traffic;
  }
  return std::nullopt;
}

// The emulation of one unit, everything else as usual.
inline Emulation emulation_of(Unit unit, std::uint64_t schedule_seed = 0, int threads = 1) {
  Emulation emulation;
  emulation.unit = *matrix_unit_of(unit);
  emulation.schedule_seed = schedule_seed;
  emulation.threads = threads;
  return emulation;
}

}  // namespace attest
