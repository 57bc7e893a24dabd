// reported_backward.hpp - a backward run in the emulator, with what the emulator saw.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>

#include "kernels/attention/tiled_backward.hpp"
#include "tests/kernels/attention/reported_run.hpp"

namespace attest {

// As EmulatedForm has it.
using RunBackward =
    std::function<void(Emulator&, const Problem&, const BackwardInputs&, const BackwardOutputs&)>;

inline RunBackward backward_of(std::string_view name) {
  EmulatedForm form;
  add_backward(form, name);
  return form.run_backward;
}

struct ReportedBackward {
  GradientTensors result;
  RunReport report;
};

// From an O and an LSE as given.
inline ReportedBackward run_reported(const RunBackward& form, const Problem& p,
                                     const Inputs& inputs, const Result& forward,
                                     const Emulation& emulation = {}) {
  ReportedBackward run{
      {Tensor(p.out, p.q_extents()), Tensor(p.out, p.k_extents()), Tensor(p.out, p.v_extents())},
      {}};
  for (Tensor* tensor : {&run.result.dq, &run.result.dk, &run.result.dv}) {
    std::ranges::fill(tensor->bytes(), std::byte{0xff});  // NaN everywhere
  }
  BackwardInputs in{inputs.q.view(),  inputs.k.view(),    inputs.v.view(),
                    forward.o.view(), forward.lse.view(), inputs.dout.view()};
  if (p.lse_gradient) in.glse = inputs.glse.view();
  Emulator emulator(emulation);
  form(emulator, p, in, {run.result.dq.view(), run.result.dk.view(), run.result.dv.view()});
  run.report = emulator.report();
  return run;
}

}  // namespace attest
