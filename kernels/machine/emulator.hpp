// emulator.hpp - the emulated device as host code sees it: tensors and launches.
//
// CudaMachine (cuda_machine.cuh) has the same members, so that a subject's host code is written
// once.
//
// Results, findings, traffic and sums of atomics do not depend on the number of threads, unless
// blocks of one launch race: what a racing read gives is then a matter of luck, and of the findings
// only the race itself is sure. Nor do they after an endless block, but for what later blocks of
// its launch had written by then: it is the last that is started, and the last that counts. Another
// schedule seed changes the order in which atomics add up, and which lanes a finding names; nothing
// else, in a kernel that keeps the rules.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/machine/machine.hpp"

namespace attest {

class Emulator {
 public:
  explicit Emulator(const Emulation& emulation) : emulation_(emulation) {}
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  // `count` elements that kernels read only. `data` must outlive the emulator.
  template <class T>
  GlobalSpan<const T> input(std::string_view name, const T* data, std::int64_t count) {
    return {data, count, &add_tensor(name, count, false)};
  }
  // `count` elements that kernels write; what stands there counts as never written.
  template <class T>
  GlobalSpan<T> output(std::string_view name, T* data, std::int64_t count) {
    return {data, count, &add_tensor(name, count, emulation_.detect_races)};
  }
  // `count` elements for launches to hand on to each other: NaNs at first, never written; lives as
  // long as the emulator.
  template <class T>
  GlobalSpan<T> scratch(std::string_view name, std::int64_t count) {
    return output(name, reinterpret_cast<T*>(poisoned_bytes(count, sizeof(T))), count);
  }

  // Runs all blocks of the grid, in an order drawn from the seed; none, if a side of the grid is 0.
  // Launches follow one another. An exception of a lane ends its block; that of the first such
  // block is thrown here when all others have run, and the emulator goes on as before.
  //
  // Requires: no side of the grid is negative; fewer than 2^31 blocks.
  template <class Kernel>
  void launch(const Kernel& kernel, Grid grid) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel goes to the device byte by byte");
    static_assert(Kernel::kThreads % kWarpSize == 0, "a block is made of whole warps");
    static_assert(Kernel::kThreads > 0 && Kernel::kThreads <= kMostThreads, "as on a GPU");
    static_assert(Kernel::kSharedBytes <= kMostSharedBytes, "no GPU has more for one block");
    run_blocks({Kernel::kThreads, Kernel::kSharedBytes}, grid, [&kernel] { kernel(); });
  }

  // Outputs stand in the host's memory when it returns, as they always do here.
  void finish() {}

  // What was seen by all launches so far.
  [[nodiscard]] RunReport report() const;

 private:
  static constexpr int kMostThreads = 1024;
  static constexpr int kMostSharedBytes = 227 * 1024;  // sm_90

  // What came of one block: its record, or what a lane threw.
  struct BlockResult {
    BlockRecord record;
    std::exception_ptr thrown;
  };

  GlobalTensor& add_tensor(std::string_view name, std::int64_t count, bool tracked);
  std::byte* poisoned_bytes(std::int64_t count, std::size_t size);
  void run_blocks(BlockShape shape, Grid grid, const std::function<void()>& body);
  [[nodiscard]] int threads_for(int blocks) const;
  [[nodiscard]] Emulation emulation_of_launch() const;
  void take(BlockRecord&& record);
  void end_launch(std::vector<BlockResult>& results);

  Emulation emulation_;
  std::vector<std::unique_ptr<GlobalTensor>> tensors_;
  std::vector<Traffic> traffic_;  // by GlobalTensor::id
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
  std::int64_t scratch_bytes_ = 0;
  int shared_bytes_ = 0;
  std::vector<Finding> findings_;
  std::int64_t fiber_switches_ = 0;
};

}  // namespace attest
