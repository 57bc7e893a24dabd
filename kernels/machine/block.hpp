// block.hpp - one emulated thread block: a fiber for each lane, all on the operating system thread
// that runs the block.
//
// A lane that must wait switches straight to the next lane that can run, never by way of a
// scheduler: half the switches. A block whose lanes part ways is given up with a finding, and what
// lives on their stacks is destroyed by an exception; hence a kernel's destructors may not wait.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "kernels/machine/emulation.hpp"
#include "kernels/machine/findings.hpp"
#include "kernels/machine/global_ledger.hpp"
#include "kernels/machine/lane_stacks.hpp"
#include "kernels/machine/schedule.hpp"
#include "kernels/machine/shared_ledger.hpp"
#include "kernels/machine/stack_switch.hpp"

namespace attest {

struct BlockShape {
  int threads;  // whole warps, at most 1024
  int shared_bytes;
};

struct BlockPlace {
  int x, y, z;
  int number;  // in the grid, x fastest
};

struct AtomicAdd {
  float* target;
  float value;
};

// What a block did, beside the bytes it wrote. Nothing here depends on other blocks, unless the
// block read what another was writing.
struct BlockRecord {
  std::vector<Finding> findings;
  std::vector<Traffic> traffic;    // by GlobalTensor::id
  std::vector<AtomicAdd> atomics;  // in the order of the schedule; they commit when the launch ends
  std::vector<TouchedRun> runs;    // of tracked tensors
  std::int64_t fiber_switches = 0;
};

class Block {
 public:
  // `body` is what each lane runs. One Block serves many blocks of a launch, one after the other.
  Block(BlockShape shape, const Emulation& emulation, std::function<void()> body, int tensors);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Until every lane has ended or none can go on. Rethrows what a lane threw.
  [[nodiscard]] BlockRecord run(BlockPlace place);

  // What follows is called by lanes.
  [[nodiscard]] int thread() const { return running_.thread; }
  [[nodiscard]] BlockPlace place() const { return place_; }
  [[nodiscard]] const Emulation& emulation() const { return emulation_; }

  void sync_block(Where where);
  void sync_warp(Where where);

  // A warp collective. Every lane brings an operand by address; the last to come runs `compute` on
  // all 32, which may write results through the pointers: the other lanes' frames stay alive while
  // they wait. Lanes that meet in different collectives would misread each other's operands: their
  // block is given up.
  //
  // A collective is known by its place in the source. Two calls from one place, such as turns of a
  // loop, cannot be told apart: lanes that meet there in different turns pass for convergent, also
  // where a GPU's compiler unrolls the loop into calls that differ.
  template <class Operand, class Compute>
  void collect(Operand& mine, Where where, Compute compute) {
    if (abandoned_) return;
    Warp& warp = warps_[static_cast<std::size_t>(running_.thread / kLanes)];
    warp.operand[static_cast<std::size_t>(running_.thread % kLanes)] = &mine;
    if (!arrive_at_collective(warp, where, &kTag<Compute>)) {
      switch_away();
      return;
    }
    std::array<Operand*, kLanes> operands;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      operands[lane] = static_cast<Operand*>(warp.operand[lane]);
    }
    compute(operands);
    release(warp);
  }

  [[nodiscard]] unsigned char* shared_memory() {
    return reinterpret_cast<unsigned char*>(shared_.data());  // of all lines, not the first alone
  }
  [[nodiscard]] int shared_bytes() const { return shape_.shared_bytes; }

  // An access, refused or not, or a wait. Gives the block up when its patience ends.
  void count_steps(int steps, Where where) {
    steps_ += static_cast<std::uint64_t>(steps);
    if (steps_ > emulation_.most_steps) end_patience(where);
  }
  // Of accesses that exist and that have been counted as steps:
  void note_shared_read(int offset, int bytes, Where where) {
    if (emulation_.detect_races) check_shared_read(offset, bytes, where);
  }
  void note_shared_write(int offset, int bytes, Where where) {
    if (emulation_.detect_races) check_shared_write(offset, bytes, where);
  }

  void note_global_read(const GlobalTensor& tensor, std::int64_t first, int count, int bytes,
                        Where where) {
    traffic_of(tensor).bytes_read += bytes;
    if (tensor.tracked()) check_global_read(tensor, first, count, where);
  }
  void note_global_write(const GlobalTensor& tensor, std::int64_t first, int count, int bytes,
                         Where where) {
    traffic_of(tensor).bytes_written += bytes;
    if (tensor.tracked()) check_global_write(tensor, first, count, where);
  }
  void add_atomically(const GlobalTensor& tensor, std::int64_t element, float* target, float value,
                      Where where);

  void report(Finding finding);
  // Has this block such a finding, of one line?
  [[nodiscard]] bool has_reported(Finding::Kind kind, Where where) const {
    return is_known(record_.findings, kind, where, where);
  }

 private:
  static constexpr int kLanes = 32;
  static constexpr int kScheduler = -1;  // run()'s own context
  // Its address stands for a kind of collective.
  template <class Compute>
  static constexpr char kTag = 0;

  struct alignas(64) CacheLine {
    unsigned char bytes[64];
  };
  struct Warp {
    std::array<void*, kLanes> operand;
    // Sets of slots; a slot is a lane's place in the warp's order.
    std::uint32_t ready, at_collective, ended;
    std::array<std::uint8_t, kLanes> slot_of_lane, lane_of_slot;
    std::uint32_t step;  // of Toucher
    Where collective;    // of the first to arrive
    const void* tag;
  };
  struct Context {
    boost::context::fiber fiber;  // empty while it runs and after it has ended
    StackBounds bounds;
    void* kept = nullptr;  // AddressSanitizer's
  };
  struct Lane : Context {
    Where waits_at;
    bool at_barrier = false;
  };

  void make_fresh(BlockPlace place);
  void start_lanes();
  boost::context::fiber end_lane(int thread);
  void unwind_stuck_lanes();
  [[noreturn]] void give_up(Finding finding);
  bool arrive_at_collective(Warp& warp, Where where, const void* tag);
  void release(Warp& warp);
  void release_barrier();
  void begin_interval();
  void draw_orders();
  [[nodiscard]] int next_to_run() const;
  [[nodiscard]] int first_to_run() const;
  [[nodiscard]] int first_lane(int warp) const;
  void switch_away() { switch_to(next_to_run()); }
  void switch_to(int thread);

  void end_patience(Where where);
  void check_shared_read(int offset, int bytes, Where where);
  void check_shared_write(int offset, int bytes, Where where);
  void check_global_read(const GlobalTensor& tensor, std::int64_t first, int count, Where where);
  void check_global_write(const GlobalTensor& tensor, std::int64_t first, int count, Where where);
  void report(const Conviction& conviction, const GlobalTensor* tensor, Where where);
  void report_stuck_lanes();
  void report_stuck_lanes_of(int warp);

  [[nodiscard]] Lane& lane_of(int thread) { return lanes_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Warp& warp_of(int thread) {
    return warps_[static_cast<std::size_t>(thread / kLanes)];
  }
  [[nodiscard]] Context& context(int thread) {
    return thread == kScheduler ? scheduler_ : lane_of(thread);
  }
  void set_running(int thread) {
    running_.thread = thread;
    if (thread != kScheduler) running_.step = warp_of(thread).step;
  }
  [[nodiscard]] Traffic& traffic_of(const GlobalTensor& tensor) {
    return record_.traffic[static_cast<std::size_t>(tensor.id())];
  }

  BlockShape shape_;
  Emulation emulation_;
  std::function<void()> body_;
  int tensors_;
  BlockRecord record_;
  BlockPlace place_{};
  std::vector<Warp> warps_;
  std::vector<std::uint8_t> warp_order_;
  std::vector<Lane> lanes_;
  StackLoan stacks_;
  std::vector<CacheLine> shared_;
  SharedLedger shared_ledger_;
  GlobalLedger global_ledger_;
  Context scheduler_;
  Toucher running_{kScheduler, 0, 0};
  int came_from_ = kScheduler;
  bool given_up_ = false;   // a finding has ended the block
  bool abandoned_ = false;  // lanes that are switched to unwind
  int waiting_at_barrier_ = 0;
  Where barrier_;  // of the first to wait
  int ended_ = 0;
  std::uint32_t clock_ = 0;  // of Toucher; goes on from block to block
  std::uint64_t steps_ = 0;
  ScheduleStream stream_{0};
  std::exception_ptr exception_;
};

// The block whose lane is running on this operating system thread. Fibers never move to another
// one, so that a compiler that keeps the address of a thread-local across a switch does no harm.
inline constinit thread_local Block* current_block = nullptr;

}  // namespace attest
