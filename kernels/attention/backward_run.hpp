// backward_run.hpp - host code of the tiled backward: picks element and head dimension, launches.
#pragma once

#include <algorithm>

#include "kernels/attention/backward_dk_dv.hpp"
#include "kernels/attention/backward_dq.hpp"
#include "kernels/attention/backward_rows.hpp"
#include "kernels/attention/backward_tensors.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element, int kHeadDim, BackwardConfig kConfig, class Machine>
void launch_backward(Machine& machine, const Problem& problem, const BackwardInputs& inputs,
                     const BackwardOutputs& outputs, const WeightRule& weights) {
  BackwardTensors<Element, Machine> tensors(machine, problem, inputs, outputs, weights);
  if constexpr (kConfig.dq == DqBy::atomic_sums) tensors.add_dq_sums();
  const BackwardArguments<Element>& arg = tensors.arguments();
  const auto launch = [&](const auto& kernel) {
    machine.launch(kernel, kernel.grid(arg, static_cast<int>(problem.batch)));
  };
  launch(BackwardRowDots<Element, kConfig>{arg});
  launch(BackwardDkDv<Element, kHeadDim, kConfig>{arg});
  if constexpr (kConfig.dq == DqBy::atomic_sums) {
    launch(BackwardRoundDq<Element, kConfig>{arg});
  } else {
    launch(BackwardDq<Element, kHeadDim, kConfig>{arg});
  }
  tensors.finish();
}

template <class Element, BackwardConfig kConfig, class Machine>
void run_backward_with(Machine& machine, const Problem& problem, const BackwardInputs& inputs,
                       const BackwardOutputs& outputs, const WeightRule& weights) {
  switch (padded_head_dim(static_cast<int>(std::max(problem.d_qk, problem.d_v)))) {
    case 64:
      return launch_backward<Element, 64, kConfig>(machine, problem, inputs, outputs, weights);
    case 128:
      return launch_backward<Element, 128, kConfig>(machine, problem, inputs, outputs, weights);
    default:
      return launch_backward<Element, 256, kConfig>(machine, problem, inputs, outputs, weights);
  }
}

// Computes dQ, dK and dV. Requires: !beyond_backward_kernels(problem).
template <BackwardConfig kConfig, class Machine>
void run_backward(Machine& machine, const Problem& problem, const BackwardInputs& inputs,
                  const BackwardOutputs& outputs, const WeightRule& weights) {
  if (problem.in == Format::f16) {
    run_backward_with<Fp16, kConfig>(machine, problem, inputs, outputs, weights);
  } else {
    run_backward_with<Bf16, kConfig>(machine, problem, inputs, outputs, weights);
  }
}

}  // namespace ATTEST_MACHINE
}  // namespace attest
