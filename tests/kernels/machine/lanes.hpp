// lanes.hpp - kernels of one lambda, for tests of the emulator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/machine/emulator.hpp"

namespace attest::test {

// What each lane runs is `body()`; the default is two warps, so that both kinds of barrier matter.
template <class Body, int kThreadCount, int kSharedCount>
struct Lanes {
  static constexpr int kThreads = kThreadCount, kSharedBytes = kSharedCount;
  Body body;
  void operator()() const { body(); }
};

template <int kThreadCount = 64, int kSharedCount = 1024, class Body>
void launch_lanes(Emulator& emulator, Body body, Grid grid = {}) {
  emulator.launch(Lanes<Body, kThreadCount, kSharedCount>{body}, grid);
}

template <int kThreadCount = 64, int kSharedCount = 1024, class Body>
RunReport run_lanes(Body body, const Emulation& emulation = {}, Grid grid = {}) {
  Emulator emulator(emulation);
  launch_lanes<kThreadCount, kSharedCount>(emulator, body, grid);
  return emulator.report();
}

inline int count_of(const RunReport& report, Finding::Kind kind) {
  return static_cast<int>(std::ranges::count(report.findings, kind, &Finding::kind));
}

// Is there one finding, of this kind?
inline bool only_finding(const RunReport& report, Finding::Kind kind) {
  return report.findings.size() == 1 && report.findings.front().kind == kind;
}

// For the message of a failing test.
inline std::string text_of(const RunReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) text += describe(finding) + "\n";
  return text;
}

}  // namespace attest::test
