// cuda_form.cuh - one form on a GPU: declared for everybody, defined by its form_<n>.cu alone.
//
// What sees the definition must not see the table (cuda_forms.cuh), which would compile every form.
#pragma once

#include "kernels/device/forms.hpp"
#include "kernels/machine/cuda_machine.cuh"

namespace attest {

// Throws Error (ours) when a CUDA call fails. Requires: !declined_by_form(kForm, problem).
template <int kForm>
void run_form_on_cuda(CudaMachine& machine, const Problem& problem, const ForwardInputs& inputs,
                      const ForwardOutputs& outputs);

// Likewise each way to sum dQ, by its backward_<n>.cu.
template <DqBy kDq>
void run_backward_on_cuda(CudaMachine& machine, const Problem& problem,
                          const BackwardInputs& inputs, const BackwardOutputs& outputs,
                          const WeightRule& weights);

}  // namespace attest
