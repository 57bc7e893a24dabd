// machine_gpu.cuh - the names of machine.hpp as intrinsics.
//
// Bits are to equal the emulator's wherever its unit models the hardware: compile with -fmad=false
// and without any fast-math flag, so that a sum, a product, a quotient and multiply_add are each
// one IEEE operation with gradual underflow. What remains different by nature: exp2_approx
// and exp2_approx_flushed, log_approx, and the payloads of binary32 NaNs, which carry no meaning.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "kernels/machine/memory_gpu.cuh"

namespace attest {
inline namespace gpu {

ATTEST_DEVICE Index3 block_index() {
  return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z)};
}
ATTEST_DEVICE int thread_index() { return static_cast<int>(threadIdx.x); }
ATTEST_DEVICE int lane_index() { return static_cast<int>(threadIdx.x) % kWarpSize; }
ATTEST_DEVICE int warp_index() { return static_cast<int>(threadIdx.x) / kWarpSize; }

constexpr unsigned kWholeWarp = 0xffffffffu;

ATTEST_DEVICE void sync_block(Where = {}) { __syncthreads(); }
ATTEST_DEVICE void sync_warp(Where = {}) { __syncwarp(); }
ATTEST_DEVICE float shuffle_xor(float value, int mask, Where = {}) {
  return __shfl_xor_sync(kWholeWarp, value, mask);
}

ATTEST_DEVICE float multiply_add(float x, float y, float z) { return __fmaf_rn(x, y, z); }
ATTEST_DEVICE std::int32_t bits_of_float(float x) { return __float_as_int(x); }
ATTEST_DEVICE float float_of_bits(std::int32_t bits) { return __int_as_float(bits); }

// ex2.approx keeps subnormal results and arguments; exp2f would scale around it.
ATTEST_DEVICE float exp2_approx(float x) {
  float y;
  asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
ATTEST_DEVICE float exp2_approx_flushed(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
ATTEST_DEVICE float log_approx(float x) { return __logf(x); }

ATTEST_DEVICE float widen(Fp16 x) { return __half2float(__ushort_as_half(x.bits)); }
ATTEST_DEVICE float widen(Bf16 x) { return __bfloat162float(__ushort_as_bfloat16(x.bits)); }

// As conversions.hpp: to nearest even, every NaN 0x7fff.
template <class Element>
ATTEST_DEVICE Element round_to(float x) {
  static_assert(std::is_same_v<Element, Fp16> || std::is_same_v<Element, Bf16>,
                "kernels store Fp16 or Bf16");
  if constexpr (std::is_same_v<Element, Fp16>) {
    return Fp16{__half_as_ushort(__float2half_rn(x))};
  } else {
    return Bf16{__bfloat16_as_ushort(__float2bfloat16_rn(x))};
  }
}

// Two values in one register, `low` in the low half: one instruction, where two round_to are two.
template <class Element>
ATTEST_DEVICE std::uint32_t pack(float low, float high) {
  std::uint32_t packed;
  if constexpr (std::is_same_v<Element, Fp16>) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  }
  return packed;
}

// The format is part of the mnemonic, so that the two instructions cannot share one text. Volatile,
// because all lanes must execute it together: the compiler must not sink it into a branch that only
// some take.
#define ATTEST_MMA(format)                                                                       \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." format "." format                        \
               ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                      \
               : "+f"(c.value[0]), "+f"(c.value[1]), "+f"(c.value[2]), "+f"(c.value[3])          \
               : "r"(a.pack[0]), "r"(a.pack[1]), "r"(a.pack[2]), "r"(a.pack[3]), "r"(b.pack[0]), \
                 "r"(b.pack[1]))

template <class Element>
ATTEST_DEVICE void mma_m16n8k16(FragmentC& c, const FragmentA<Element>& a,
                                const FragmentB<Element>& b, Where = {}) {
  if constexpr (std::is_same_v<Element, Fp16>) {
    ATTEST_MMA("f16");
  } else {
    ATTEST_MMA("bf16");
  }
}
#undef ATTEST_MMA

template <class Element, int kTiles>
ATTEST_DEVICE void mma_m16n8k16(FragmentC (&c)[kTiles], const FragmentA<Element>& a,
                                const FragmentB<Element> (&b)[kTiles], Where = {}) {
  ATTEST_UNROLL
  for (int tile = 0; tile < kTiles; ++tile) mma_m16n8k16(c[tile], a, b[tile]);
}

}  // namespace gpu
}  // namespace attest
