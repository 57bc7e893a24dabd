// sweep.hpp - all bit patterns of a range, block by block, on every core.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace attest {

// Calls work(block, found) once for each block in [begin, end), in no order; each thread has a
// `Found` of its own. Returns them all.
template <class Found, class Work>
std::vector<Found> sweep(std::uint32_t begin, std::uint32_t end, const Work& work) {
  const unsigned cores = std::thread::hardware_concurrency();
  std::vector<Found> found(cores == 0 ? 1 : cores);
  std::atomic<std::uint32_t> next{begin};
  std::vector<std::jthread> threads;
  for (Found& mine : found) {
    threads.emplace_back([&] {
      Found local{};  // not beside another thread's in memory
      for (std::uint32_t block = next++; block < end; block = next++) work(block, local);
      mine = local;
    });
  }
  threads.clear();
  return found;
}

}  // namespace attest
