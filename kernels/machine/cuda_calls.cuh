// cuda_calls.cuh - what a failed CUDA call says.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "core/error.hpp"

namespace attest {

// "cudaMemcpy: cudaErrorIllegalAddress (an illegal memory access was encountered)"
inline std::string text_of(const char* call, cudaError_t status) {
  return std::string(call) + ": " + cudaGetErrorName(status) + " (" + cudaGetErrorString(status) +
         ")";
}

// Throws Error (ours) with that text. Kernels run asynchronously, so that the call named is the
// first one that heard of the error, not always the one that made it.
inline void require_success(const char* call, cudaError_t status) {
  if (status != cudaSuccess) throw Error(Blame::ours, text_of(call, status));
}

// Some errors corrupt the process: every later call fails with them. Others are over once read.
inline bool device_still_answers() {
  (void)cudaGetLastError();
  return cudaDeviceSynchronize() == cudaSuccess;
}

}  // namespace attest
