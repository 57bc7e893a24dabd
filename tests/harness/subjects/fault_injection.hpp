// fault_injection.hpp - many runs of a plug-in that ends badly on demand, and an account of each.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>

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

// What a run of each fault may be called. A worker that closes its socket and waits keeps the other
// end open for as long as its watch looks at it.
[[nodiscard]] inline bool is_accounted_for(int fault, RunOutcome::Kind kind) {
  using Kind = RunOutcome::Kind;
  const std::set<Kind> allowed[kFaults] = {{Kind::ran},
                                           {Kind::crashed},
                                           {Kind::crashed},
                                           {Kind::crashed},
                                           {Kind::hung},
                                           {Kind::crashed, Kind::hung},
                                           {Kind::malformed_reply}};
  return allowed[fault].contains(kind);
}

// One run of three is healthy, the others are drawn evenly: each fault in about a ninth of them.
// A hang costs the whole patience, and what else takes so long is taken for one.
inline void inject_faults(Index runs, std::uint64_t seed, std::chrono::milliseconds patience) {
  std::cout << runs << " runs, seed " << seed << "\n";
  std::mt19937_64 dice(seed);
  Problem p;
  p.n_q = p.n_k = 2;
  const Holdings before = holdings();
  std::map<int, Index> counts;
  {
    const auto subject = load_one(built_plugin("faulty"), built_worker(patience));
    for (Index n = 0; n < runs; ++n) {
      const int fault = dice() % 3 == 0 ? 0 : 1 + static_cast<int>(dice() % (kFaults - 1));
      Inputs inputs = zero_inputs(p);
      inputs.q.view().set_bits(0, 0, 0, 0, round_to_bits(p.in, fault));
      const RunOutcome outcome = execute(*subject, p, inputs, {Unit::fp32_seq}).outcome;
      ++counts[fault];
      ASSERT_TRUE(is_accounted_for(fault, outcome.kind))
          << "run " << n << ", " << kFaultNames[fault] << ": " << name_of(outcome.kind) << ", "
          << outcome.detail;
    }
  }
  EXPECT_EQ(holdings(), before);
  for (int fault = 0; fault < kFaults; ++fault) {
    std::cout << "  " << counts[fault] << " " << kFaultNames[fault] << "\n";
    EXPECT_GE(20 * counts[fault], runs) << kFaultNames[fault];  // at least 5 %
  }
}

}  // namespace attest
