// cuda_forms.cuh - the table of all forms on a GPU.
#pragma once

#include "kernels/device/cuda_form.cuh"

namespace attest {

template <int... kForms>
constexpr FormTable<CudaMachine> cuda_forms_of(std::integer_sequence<int, kForms...>) {
  return {run_form_on_cuda<kForms>...};
}

inline constexpr FormTable<CudaMachine> kCudaForms =
    cuda_forms_of(std::make_integer_sequence<int, kDeviceFormCount>{});

}  // namespace attest
