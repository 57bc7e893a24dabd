#include "kernels/machine/schedule.hpp"

#include <numeric>

namespace attest {

std::vector<int> block_order(int count, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  if (seed != 0) ScheduleStream(seed).shuffle(order);
  return order;
}

}  // namespace attest
