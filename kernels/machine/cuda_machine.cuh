// cuda_machine.cuh - a GPU as host code sees it: tensors and launches.
//
// Tensors and launches are asked for as from Emulator (emulator.hpp), so that a subject's host code
// is written once. The device's memory is not the caller's: outputs reach the caller in finish().
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/machine/cuda_calls.cuh"
#include "kernels/machine/machine.hpp"

namespace attest {
inline namespace gpu {

// 48 KiB of dynamic shared memory are any kernel's; more must be asked for.
constexpr int kSharedBytesUnasked = 48 * 1024;

// One block a multiprocessor will do. Where nothing is said, ptxas spills a few registers if that
// makes room for another.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, 1)
    run_kernel(const __grid_constant__ Kernel kernel) {
  kernel();
}

// Every member throws Error (ours) when a CUDA call fails.
class CudaMachine {
 public:
  // Clock::on times the launches, which costs a wait after each.
  enum class Clock : bool { off, on };
  explicit CudaMachine(Clock clock = Clock::off) : clock_(clock) {}
  CudaMachine(const CudaMachine&) = delete;
  CudaMachine& operator=(const CudaMachine&) = delete;
  ~CudaMachine() {
    for (const Allocation& each : allocations_) (void)cudaFree(each.device);
  }

  // `count` elements that kernels read only.
  template <class T>
  GlobalSpan<const T> input(std::string_view, const T* data, std::int64_t count) {
    return GlobalSpan<const T>(static_cast<const T*>(copy_in(data, bytes_of_count<T>(count))));
  }
  // `count` elements that kernels write. They start as what stands at `data`, so that what no
  // kernel writes comes back as it was; finish() fetches them.
  template <class T>
  GlobalSpan<T> output(std::string_view, T* data, std::int64_t count) {
    T* const device = static_cast<T*>(copy_in(data, bytes_of_count<T>(count)));
    allocations_.back().host = data;
    return GlobalSpan<T>(device);
  }
  // `count` elements for launches to hand on to each other: NaNs at first.
  template <class T>
  GlobalSpan<T> scratch(std::string_view, std::int64_t count) {
    constexpr int kPoison = 0xff;
    T* const device = static_cast<T*>(allocate(bytes_of_count<T>(count)));
    if (count != 0) {
      require_success("cudaMemset", cudaMemset(device, kPoison, bytes_of_count<T>(count)));
    }
    return GlobalSpan<T>(device);
  }

  template <class Kernel>
  void launch(const Kernel& kernel, Grid grid) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel goes to the device byte by byte");
    static_assert(Kernel::kThreads % kWarpSize == 0, "a block is made of whole warps");
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;  // which CUDA calls an error
    if constexpr (Kernel::kSharedBytes > kSharedBytesUnasked) {
      require_success(
          "cudaFuncSetAttribute",
          cudaFuncSetAttribute(run_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               Kernel::kSharedBytes));
    }
    const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                      static_cast<unsigned>(grid.z));
    const auto start = [&] {
      run_kernel<Kernel><<<blocks, Kernel::kThreads, Kernel::kSharedBytes>>>(kernel);
      require_success("launch", cudaGetLastError());
    };
    if (clock_ == Clock::on) {
      milliseconds_ += milliseconds_of(start);
    } else {
      start();
    }
  }

  // Of all launches so far. Requires: Clock::on.
  [[nodiscard]] double launch_milliseconds() const { return milliseconds_; }

  // Waits for every launch and copies the outputs back to where they were announced.
  void finish() {
    require_success("cudaDeviceSynchronize", cudaDeviceSynchronize());
    for (const Allocation& each : allocations_) {
      if (each.host == nullptr || each.bytes == 0) continue;
      require_success("cudaMemcpy",
                      cudaMemcpy(each.host, each.device, each.bytes, cudaMemcpyDeviceToHost));
    }
  }

 private:
  struct Allocation {
    void* device;
    std::size_t bytes;
    void* host;  // of an output: where it belongs
  };

  template <class T>
  static std::size_t bytes_of_count(std::int64_t count) {
    return static_cast<std::size_t>(count) * sizeof(T);
  }

  // Nothing is asked of CUDA for a tensor without elements; no kernel may touch it.
  void* allocate(std::size_t bytes) {
    void* device = nullptr;
    if (bytes != 0) require_success("cudaMalloc", cudaMalloc(&device, bytes));
    allocations_.push_back({device, bytes, nullptr});
    return device;
  }

  void* copy_in(const void* data, std::size_t bytes) {
    void* const device = allocate(bytes);
    if (bytes != 0) {
      require_success("cudaMemcpy", cudaMemcpy(device, data, bytes, cudaMemcpyHostToDevice));
    }
    return device;
  }

  template <class Start>
  static double milliseconds_of(const Start& start) {
    cudaEvent_t before{}, after{};
    require_success("cudaEventCreate", cudaEventCreate(&before));
    require_success("cudaEventCreate", cudaEventCreate(&after));
    require_success("cudaEventRecord", cudaEventRecord(before));
    start();
    require_success("cudaEventRecord", cudaEventRecord(after));
    require_success("cudaEventSynchronize", cudaEventSynchronize(after));
    float milliseconds = 0;
    require_success("cudaEventElapsedTime", cudaEventElapsedTime(&milliseconds, before, after));
    (void)cudaEventDestroy(before);
    (void)cudaEventDestroy(after);
    return milliseconds;
  }

  Clock clock_;
  double milliseconds_ = 0;
  std::vector<Allocation> allocations_;
};

}  // namespace gpu
}  // namespace attest
