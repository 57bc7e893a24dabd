// machine.hpp - the machine that attention kernels are written for.
//
// A kernel is written once, against the names below: blocks, warps, lanes, shared memory, barriers,
// shuffles and 16x8x16 tile products. Under nvcc they are intrinsics (machine_gpu.cuh). Under any
// other compiler they are an emulator (machine_cpu.hpp) in which every lane is a fiber, so that the
// lines that run on a GPU run in every test.
//
//   where am I     block_index()  thread_index()  lane_index()  warp_index()
//   wait           sync_block()  sync_warp()
//   exchange       shuffle_xor(value, mask)
//   tile product   mma_m16n8k16(c, a, b): c += a*b; c and b may be arrays, a row of tiles sharing a
//   arithmetic     exp2_approx(x)  exp2_approx_flushed(x)  log_approx(x)  multiply_add(x, y, z)
//                  bits_of_float(x)  float_of_bits(i)  widen(x)  round_to<Element>(x)
//                  pack<Element>(x, y)
//   memory         SharedArena, SharedSpan<T>, GlobalSpan<T>: load, load_pair, load16, store,
//                  store16, atomic_add
//
// Loads and stores are verbs, not operator[]: a verb carries the line of the kernel that calls it,
// so that a race names both of its lines.
//
// A kernel is a trivially copyable struct: its arguments are its members, `kThreads` and
// `kSharedBytes` are constants, and `operator()() const` is what each lane runs. The host code
// beside it takes a machine by reference (Emulator, or CudaMachine (cuda_machine.cuh)) and asks it
// for tensors and launches.
//
// The names sit in an inline namespace called after the machine: a program that links kernels of
// both would otherwise hold two definitions of each, and the linker would silently keep one.
#pragma once

#include "kernels/machine/storage.hpp"

#if defined(__CUDACC__)
#define ATTEST_DEVICE __device__ __forceinline__
#define ATTEST_UNROLL _Pragma("unroll")
#define ATTEST_MACHINE gpu
#else
#define ATTEST_DEVICE inline
#define ATTEST_UNROLL
#define ATTEST_MACHINE cpu
#endif

namespace attest {
inline namespace ATTEST_MACHINE {

constexpr int kWarpSize = 32;

struct Index3 {
  int x = 0, y = 0, z = 0;
};

// Blocks of a launch.
struct Grid {
  int x = 1, y = 1, z = 1;
};

// The register layout of mma.sync.m16n8k16 (PTX ISA), with group = lane / 4 and pair = 2 (lane %
// 4). Of a register that packs two 16-bit values the low half is the even column (a) or row (b).
template <class Element>
struct FragmentA {  // 16 x 16: (group, pair), (group+8, pair), (group, pair+8), (group+8, pair+8)
  std::uint32_t pack[4];
};
template <class Element>
struct FragmentB {  // 16 x 8: rows pair, pair+1 and pair+8, pair+9 of column group
  std::uint32_t pack[2];
};
struct FragmentC {  // 16 x 8: (group, pair), (group, pair+1), (group+8, pair), (group+8, pair+1)
  float value[4];
};

// What one access of 16 bytes moves.
template <class T>
struct alignas(16) Chunk {
  static constexpr int kCount = 16 / static_cast<int>(sizeof(T));
  T value[kCount];
};

}  // namespace ATTEST_MACHINE
}  // namespace attest

#if defined(__CUDACC__)
#include "kernels/machine/machine_gpu.cuh"
#else
#include "kernels/machine/machine_cpu.hpp"
#endif
