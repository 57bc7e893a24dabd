// storage.hpp - the 16-bit values that kernels load and store: bits, without arithmetic.
//
// What a kernel may do with them is the machine's affair: conversions.hpp on a CPU, intrinsics
// under nvcc. Without operators no kernel can compute in a format by accident.
#pragma once

#include <cstdint>

namespace attest {

struct Fp16 {
  std::uint16_t bits;
};

struct Bf16 {
  std::uint16_t bits;
};

}  // namespace attest
