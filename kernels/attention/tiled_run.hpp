// tiled_run.hpp - host code of the tiled kernel: picks element and head dimension, launches.
#pragma once

#include <algorithm>

#include "kernels/attention/forward_tensors.hpp"
#include "kernels/attention/tiled_forward.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element, int kHeadDim, TiledConfig kConfig, class Machine>
void launch_tiled(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                  const ForwardOutputs& outputs) {
  using Kernel = TiledForward<Element, kHeadDim, kConfig>;
  ForwardTensors<Element, Machine> tensors(machine, problem, inputs, outputs);
  Kernel kernel{tensors.arguments()};
  kernel.spilled.name_on(machine, problem);
  machine.launch(kernel, Kernel::grid(tensors.arguments(), static_cast<int>(problem.batch)));
  tensors.finish();
}

template <class Element, TiledConfig kConfig, class Machine>
void run_tiled_with(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
                    const ForwardOutputs& outputs) {
  switch (padded_head_dim(static_cast<int>(std::max(problem.d_qk, problem.d_v)))) {
    case 64: return launch_tiled<Element, 64, kConfig>(machine, problem, inputs, outputs);
    case 128: return launch_tiled<Element, 128, kConfig>(machine, problem, inputs, outputs);
    default: return launch_tiled<Element, 256, kConfig>(machine, problem, inputs, outputs);
  }
}

// Computes O and LSE. Requires: !beyond_forward_kernels(problem).
template <TiledConfig kConfig, class Machine>
void run_tiled(Machine& machine, const Problem& problem, const ForwardInputs& inputs,
               const ForwardOutputs& outputs) {
  if (problem.in == Format::f16) {
    run_tiled_with<Fp16, kConfig>(machine, problem, inputs, outputs);
  } else {
    run_tiled_with<Bf16, kConfig>(machine, problem, inputs, outputs);
  }
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
