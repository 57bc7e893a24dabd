// schedule.hpp - the orders that a schedule seed draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace attest {

// A stream of 64-bit numbers (splitmix64): quick, and good enough to pick who runs next.
class ScheduleStream {
 public:
  // Stream number `n` of a seed.
  explicit ScheduleStream(std::uint64_t seed, std::uint64_t n = 0)
      : state_(seed + kGolden * (n + 1)) {}

  [[nodiscard]] std::uint64_t draw() {
    std::uint64_t x = state_ += kGolden;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  template <class Sequence>
  void shuffle(Sequence& order) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw() % i]);
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;
};

// The numbers 0 .. count-1, shuffled unless the seed is 0: nothing orders the blocks of a grid.
[[nodiscard]] std::vector<int> block_order(int count, std::uint64_t seed);

}  // namespace attest
