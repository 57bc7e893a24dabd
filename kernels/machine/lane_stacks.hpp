// lane_stacks.hpp - stacks for the lanes of one block, each above a guard page.
#pragma once

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <memory>

namespace attest {

class LaneStacks {
 public:
  // Throws Error (ours) when the system has no more memory or mappings.
  LaneStacks(int count, std::size_t usable_bytes);
  ~LaneStacks();
  LaneStacks(const LaneStacks&) = delete;
  LaneStacks& operator=(const LaneStacks&) = delete;

  [[nodiscard]] boost::context::stack_context operator[](int lane) const;
  [[nodiscard]] bool suffices(int count, std::size_t usable_bytes) const {
    return count <= count_ && usable_bytes <= usable_bytes_;
  }

 private:
  int count_;
  std::size_t usable_bytes_, stride_;
  unsigned char* memory_;
};

// To map and guard a block's stacks takes most of a millisecond, often more than its kernel. So
// they are borrowed from a shelf that all threads of the process share, and go back there: threads
// may be as short-lived as a launch. The shelf never holds more than were once in use together.
struct ReturnStacks {
  void operator()(LaneStacks* stacks) const;
};
using StackLoan = std::unique_ptr<LaneStacks, ReturnStacks>;

[[nodiscard]] StackLoan borrow_stacks(int count, std::size_t usable_bytes);

}  // namespace attest
