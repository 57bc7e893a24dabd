// cuda_forms.cuh - the table of all forms on a GPU.
#pragma once

#include "kernels/device/cuda_form.cuh"

namespace attest {

template <int... kForms, std::size_t... kWays>
constexpr FormTables<CudaMachine> cuda_forms_of(std::integer_sequence<int, kForms...>,
                                                std::index_sequence<kWays...>) {
  return {{run_form_on_cuda<kForms>...}, {run_backward_on_cuda<kWaysToSumDq[kWays]>...}};
}

inline constexpr FormTables<CudaMachine> kCudaForms =
    cuda_forms_of(std::make_integer_sequence<int, kDeviceFormCount>{},
                  std::make_index_sequence<std::size(kWaysToSumDq)>{});

}  // namespace attest
