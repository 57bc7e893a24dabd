// fault_injection.hpp - many runs of a plug-in that ends badly on demand, and an account of each.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/case.hpp"
#include "properties/execution.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest {

// As libraries/faulty.c has them.
inline constexpr int kFaults = 7;
inline constexpr std::string_view kFaultNames[kFaults] = {
    "none", "SIGSEGV",         "SIGKILL",        "exit 0 in mid-frame",
    "hang", "truncated frame", "oversized frame"};

// What a process holds that it could leak.
struct Holdings {
  Index descriptors = 0;
  Index children = 0;
  Index shared_mappings = 0;
  friend bool operator==(const Holdings&, const Holdings&) = default;
};

[[nodiscard]] inline Holdings holdings() {
  Holdings now;
  now.descriptors = std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;) ++now.children;
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    now.shared_mappings += line.find("memfd:attest") != std::string::npos;
  }
  return now;
}

// What a run of each fault is called.
inline constexpr RunOutcome::Kind kEndings[kFaults] = {RunOutcome::Kind::ran,
                                                       RunOutcome::Kind::crashed,
                                                       RunOutcome::Kind::crashed,
                                                       RunOutcome::Kind::crashed,
                                                       RunOutcome::Kind::hung,
                                                       RunOutcome::Kind::malformed_reply,
                                                       RunOutcome::Kind::malformed_reply};

// The fault of a run: each in about 8 of 100, which leaves every second run healthy.
[[nodiscard]] inline int fault_of(std::uint64_t seed, Index run) {
  std::seed_seq both{seed, static_cast<std::uint64_t>(run)};
  std::mt19937_64 dice(both);
  const auto draw = static_cast<int>(dice() % 100);
  return draw < 8 * (kFaults - 1) ? 1 + draw / 8 : 0;
}

// Several runs at once: those that wait for a worker that hangs do nothing else.
class FaultInjection {
 public:
  FaultInjection(Index runs, std::uint64_t seed) : runs_(runs), seed_(seed) {
    std::cout << runs << " runs, seed " << seed << "\n";
  }

  // A hang costs the whole patience, a worker that closes its stream and lives on two seconds.
  void run(std::chrono::milliseconds patience, int threads) {
    const auto subject = load_one(built_plugin("faulty"), built_worker(patience));
    std::vector<std::thread> workers;
    for (int n = 0; n < threads; ++n) {
      workers.emplace_back([&] {
        for (Index run = next_++; run < runs_; run = next_++) run_one(*subject, run);
      });
    }
    for (std::thread& worker : workers) worker.join();
  }

  void expect_all_accounted_for() const {
    EXPECT_EQ(strange_, "");
    for (int fault = 0; fault < kFaults; ++fault) {
      std::cout << "  " << counts_[fault] << " " << kFaultNames[fault] << "\n";
      EXPECT_GE(20 * counts_[fault], runs_) << kFaultNames[fault];  // at least 5 %
    }
  }

 private:
  void run_one(const Subject& subject, Index run) {
    Problem p;
    p.n_q = p.n_k = 2;
    const int fault = fault_of(seed_, run);
    Inputs inputs = zero_inputs(p);
    inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, fault));
    const RunOutcome outcome = execute(subject, p, inputs, {Unit::fp32_seq}).outcome;
    const std::scoped_lock mine(lock_);
    ++counts_[fault];
    if (outcome.kind == kEndings[fault]) return;
    strange_ += "run " + std::to_string(run) + ", " + std::string(kFaultNames[fault]) + ": " +
                std::string(name_of(outcome.kind)) + ", " + outcome.detail + "\n";
  }

  Index runs_;
  std::uint64_t seed_;
  std::atomic<Index> next_ = 0;
  std::mutex lock_;
  Index counts_[kFaults] = {};
  std::string strange_;
};

inline void inject_faults(Index runs, std::uint64_t seed, std::chrono::milliseconds patience,
                          int threads) {
  const Holdings before = holdings();
  FaultInjection injection(runs, seed);
  injection.run(patience, threads);
  injection.expect_all_accounted_for();
  EXPECT_EQ(holdings(), before);
}

}  // namespace attest
