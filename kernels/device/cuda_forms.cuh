// cuda_forms.cuh - the forms on a GPU: declared for everybody, each defined by its form_<n>.cu.
#pragma once

#include "kernels/device/forms.hpp"
#include "kernels/machine/cuda_machine.cuh"

namespace attest {

// Throws Error (ours) when a CUDA call fails.
template <int kForm>
void run_form_on_cuda(CudaMachine& machine, const Problem& problem, const ForwardInputs& inputs,
                      const ForwardOutputs& outputs);

template <int... kForms>
constexpr FormTable<CudaMachine> cuda_forms_of(std::integer_sequence<int, kForms...>) {
  return {run_form_on_cuda<kForms>...};
}

inline constexpr FormTable<CudaMachine> kCudaForms =
    cuda_forms_of(std::make_integer_sequence<int, kDeviceFormCount>{});

}  // namespace attest
