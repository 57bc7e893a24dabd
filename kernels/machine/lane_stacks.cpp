#include "kernels/machine/lane_stacks.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace attest {
namespace {

constexpr std::size_t kPage = 4096;
// Equal offsets within a page would put the hot ends of all stacks into the same few cache sets.
constexpr std::size_t kColours = 32, kColourBytes = kPage / kColours;

[[noreturn]] void refuse(const char* call, int count, std::size_t bytes) {
  throw Error(Blame::ours, std::string(call) + " for " + std::to_string(count) +
                               " lane stacks of " + std::to_string(bytes) +
                               " bytes: " + std::strerror(errno));
}

struct Shelf {
  std::mutex lock;
  std::vector<std::unique_ptr<LaneStacks>> stacks;
};

Shelf& shelf() {
  static Shelf the_shelf;
  return the_shelf;
}

}  // namespace

LaneStacks::LaneStacks(int count, std::size_t usable_bytes)
    : count_(count),
      usable_bytes_((usable_bytes + kPage - 1) / kPage * kPage),
      stride_(usable_bytes_ + 2 * kPage) {
  const std::size_t bytes = stride_ * static_cast<std::size_t>(count);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) refuse("mmap", count, usable_bytes_);
  memory_ = static_cast<unsigned char*>(memory);
  for (int lane = 0; lane < count; ++lane) {
    if (mprotect(memory_ + static_cast<std::size_t>(lane) * stride_, kPage, PROT_NONE) != 0) {
      munmap(memory, bytes);
      refuse("mprotect", count, usable_bytes_);
    }
  }
}

LaneStacks::~LaneStacks() { munmap(memory_, stride_ * static_cast<std::size_t>(count_)); }

boost::context::stack_context LaneStacks::operator[](int lane) const {
  boost::context::stack_context stack;
  const auto place = static_cast<std::size_t>(lane);
  const std::size_t colour = place % kColours * kColourBytes;
  stack.sp = memory_ + (place + 1) * stride_ - colour;
  stack.size = stride_ - kPage - colour;
  return stack;
}

void ReturnStacks::operator()(LaneStacks* stacks) const {
  std::unique_ptr<LaneStacks> owned(stacks);
  const std::lock_guard hold(shelf().lock);
  shelf().stacks.push_back(std::move(owned));
}

StackLoan borrow_stacks(int count, std::size_t usable_bytes) {
  {
    std::unique_ptr<LaneStacks> too_small;  // makes room for what is mapped below
    const std::lock_guard hold(shelf().lock);
    auto& stacks = shelf().stacks;
    // The last to be returned is still warm.
    for (std::size_t n = stacks.size(); n-- > 0;) {
      if (!stacks[n]->suffices(count, usable_bytes)) continue;
      StackLoan loan(stacks[n].release());
      stacks.erase(stacks.begin() + static_cast<std::ptrdiff_t>(n));
      return loan;
    }
    if (!stacks.empty()) {
      too_small = std::move(stacks.back());
      stacks.pop_back();
    }
  }
  return StackLoan(new LaneStacks(count, usable_bytes));
}

}  // namespace attest
