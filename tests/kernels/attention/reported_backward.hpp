// reported_backward.hpp - a backward run in the emulator, with what the emulator saw.
#pragma once

#include <algorithm>

#include "kernels/attention/backward_instances.hpp"
#include "tests/kernels/attention/reported_run.hpp"

namespace attest {

using RunBackwardForm = void (*)(Emulator&, const Problem&, const BackwardInputs&,
                                 const BackwardOutputs&);

// By row of kBackwardForms.
inline constexpr RunBackwardForm kBackward[] = {run_backward_form<0>, run_backward_form<1>,
                                                run_backward_form<2>, run_backward_form<3>};
inline constexpr int kTiledRow = 0, kFusedRow = 1, kAtomicRow = 3;
static_assert(kBackwardForms[kTiledRow].name == "tiled");
static_assert(kBackwardForms[kFusedRow].config.exponent == Exponent::fused);
static_assert(kBackwardForms[kAtomicRow].config.dq == DqBy::atomic_sums);

struct ReportedBackward {
  GradientTensors result;
  RunReport report;
};

// From an O and an LSE as given.
inline ReportedBackward run_reported(RunBackwardForm form, const Problem& p, const Inputs& inputs,
                                     const Result& forward, const Emulation& emulation = {}) {
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
