#include "kernels/machine/global_tensor.hpp"

#include <algorithm>
#include <utility>

namespace attest {

GlobalTensor::GlobalTensor(std::string name, int id, std::int64_t count, bool tracked)
    : name_(std::move(name)),
      id_(id),
      count_(count),
      tracked_(tracked),
      written_(tracked ? static_cast<std::size_t>(count) : 0) {}

void GlobalTensor::end_launch(std::span<const TouchedRun> runs) {
  for (const TouchedRun& run : runs) {
    if (is_somewhere(run.written)) std::fill_n(written_.begin() + run.first, run.count, true);
  }
}

}  // namespace attest
