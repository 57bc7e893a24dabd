// ordered_pool.hpp - works on numbered jobs in several threads, hands results over in their order.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace attest {

// Runs work(0), work(1), .. work(count - 1) on `threads` threads and calls take(n, result) for
// n = 0, 1, .. in that order, never two at a time. `work` may return nothing, which ends the
// run: later jobs are not started, and their results, if any, are dropped. The first exception of
// `work` or `take` ends the run and is thrown here; nothing is taken after it.
template <class Result>
void run_in_order(std::int64_t count, unsigned threads,
                  const std::function<std::optional<Result>(std::int64_t)>& work,
                  const std::function<void(std::int64_t, Result&&)>& take) {
  std::mutex mutex;
  std::int64_t next_job = 0;
  std::int64_t next_result = 0;
  bool ended = false;
  std::map<std::int64_t, Result> waiting;
  std::exception_ptr failure;

  const auto fail = [&] {
    if (!failure) failure = std::current_exception();
    ended = true;
  };
  const auto deliver = [&](std::int64_t job, std::optional<Result>&& result) {
    if (!result) {
      ended = true;
      return;
    }
    waiting.emplace(job, std::move(*result));
    for (auto at = waiting.find(next_result); at != waiting.end(); at = waiting.find(next_result)) {
      take(next_result++, std::move(at->second));
      waiting.erase(at);
    }
  };
  const auto serve = [&] {
    while (true) {
      std::int64_t job;
      {
        const std::lock_guard lock(mutex);
        if (ended || next_job == count) return;
        job = next_job++;
      }
      std::optional<Result> result;
      std::exception_ptr broken;
      try {
        result = work(job);
      } catch (...) {
        broken = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      if (failure) return;
      try {
        if (broken) std::rethrow_exception(broken);
        deliver(job, std::move(result));
      } catch (...) {
        fail();
      }
    }
  };

  std::vector<std::jthread> pool;
  for (unsigned n = 0; n < threads; ++n) pool.emplace_back(serve);
  pool.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace attest
