// cuda_forms.cuh - the table of all forms on a GPU.
#pragma once

#include "kernels/device/cuda_form.cuh"

namespace attest {

template <int... kForms, int... kBackward>
constexpr FormTables<CudaMachine> cuda_forms_of(std::integer_sequence<int, kForms...>,
                                                std::integer_sequence<int, kBackward...>) {
  return {{run_form_on_cuda<kForms>...}, {run_backward_on_cuda<kBackward>...}};
}

inline constexpr FormTables<CudaMachine> kCudaForms =
    cuda_forms_of(std::make_integer_sequence<int, kDeviceFormCount>{},
                  std::make_integer_sequence<int, kBackwardFormCount>{});

}  // namespace attest
