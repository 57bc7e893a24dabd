// sandbox.hpp - what a worker gives up before it runs code that is not ours.
//
// The code is not trusted to compute, but it is not an enemy either: this keeps an accident, or a
// shortcut, from files, from the network and from other processes. It is no wall against an attack.
#pragma once

#include <cstdint>
#include <string>

namespace attest {

struct SandboxWishes {
  bool confined = true;         // no file is written, no network, no other process; for CPUs only
  std::uint64_t address_space;  // in bytes; 0: no limit
};

// For good. Returns what could not be had, in one line for people; empty when all is in place.
[[nodiscard]] std::string enter_sandbox(const SandboxWishes& wishes);

}  // namespace attest
