// Goal: many threads look like one: results come in order, one at a time, and what ends a run ends
// it cleanly.
#include "harness/campaign/ordered_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>

namespace attest::ordered_pool_test {
namespace {

using std::chrono::milliseconds;

// Later jobs tend to end first.
std::optional<int> lopsided(std::int64_t job) {
  std::this_thread::sleep_for(milliseconds(job % 4 == 0 ? 3 : 0));
  return static_cast<int>(10 * job);
}

std::vector<std::int64_t> first_numbers(std::size_t count) {
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(OrderedPool, HandsOverEveryResultInOrderForAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 3U, 8U, 64U}) {
    std::vector<std::int64_t> order;
    run_in_order<int>(40, threads, lopsided, [&](std::int64_t job, int&& result) {
      EXPECT_EQ(result, 10 * job);
      order.push_back(job);
    });
    EXPECT_EQ(order, first_numbers(40)) << threads;
  }
}

TEST(OrderedPool, NeverTakesTwoResultsAtOnce) {
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  run_in_order<int>(30, 8, lopsided, [&](std::int64_t, int&&) {
    most = std::max(most.load(), ++inside);
    std::this_thread::sleep_for(milliseconds(1));
    --inside;
  });
  EXPECT_EQ(most, 1);
}

TEST(OrderedPool, WorksInAsManyThreadsAsAsked) {
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  const auto work = [&](std::int64_t job) -> std::optional<int> {
    const int now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    // The first three wait for each other, up to a limit: that they meet is the test.
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (job < 3 && most < 3 && std::chrono::steady_clock::now() < limit) {
      std::this_thread::yield();
    }
    --inside;
    return 0;
  };
  run_in_order<int>(12, 3, work, [](std::int64_t, int&&) {});
  EXPECT_EQ(most, 3);
}

TEST(OrderedPool, DoesNothingWhereThereIsNothingToDo) {
  run_in_order<int>(
      0, 4,
      [](std::int64_t) -> std::optional<int> {
        ADD_FAILURE() << "no job was asked for";
        return 0;
      },
      [](std::int64_t, int&&) { ADD_FAILURE() << "no result can be there"; });
}

TEST(OrderedPool, EndsWhereWorkReturnsNothing) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<std::int64_t> last_started = 0;
    std::vector<std::int64_t> order;
    run_in_order<int>(
        1000, threads,
        [&](std::int64_t job) -> std::optional<int> {
          last_started = std::max(last_started.load(), job);
          if (job >= 10) return std::nullopt;
          return lopsided(job);
        },
        [&](std::int64_t job, int&&) { order.push_back(job); });
    EXPECT_EQ(order, first_numbers(10)) << threads;  // all before it, none after
    EXPECT_LE(last_started, 10 + static_cast<std::int64_t>(threads));
  }
}

TEST(OrderedPool, DropsAResultThatComesAfterTheEnd) {
  std::vector<std::int64_t> order;
  run_in_order<int>(
      8, 2,
      [](std::int64_t job) -> std::optional<int> {
        if (job == 0) {
          std::this_thread::sleep_for(milliseconds(20));
          return std::nullopt;
        }
        return 1;
      },
      [&](std::int64_t job, int&&) { order.push_back(job); });
  EXPECT_TRUE(order.empty());
}

template <class Run>
std::string message_of(Run run) {
  try {
    run();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(OrderedPool, ThrowsHereWhatAJobThrewThere) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<std::int64_t> last_started = 0;
    const auto run = [&] {
      run_in_order<int>(
          1000, threads,
          [&](std::int64_t job) -> std::optional<int> {
            last_started = std::max(last_started.load(), job);
            if (job == 5) throw std::runtime_error("job 5 broke");
            return lopsided(job);
          },
          [](std::int64_t job, int&&) { EXPECT_NE(job, 5); });
    };
    EXPECT_EQ(message_of(run), "job 5 broke");
    EXPECT_LT(last_started, 999) << "the run went on";
  }
}

TEST(OrderedPool, ThrowsHereWhatTakingAResultThrew) {
  for (const unsigned threads : {1U, 4U}) {
    std::vector<std::int64_t> order;
    const auto run = [&] {
      run_in_order<int>(50, threads, lopsided, [&](std::int64_t job, int&&) {
        order.push_back(job);
        if (job == 7) throw std::runtime_error("no room for 7");
      });
    };
    EXPECT_EQ(message_of(run), "no room for 7");
    EXPECT_EQ(order, first_numbers(8)) << threads;  // nothing is taken after it
  }
}

}  // namespace
}  // namespace attest::ordered_pool_test
