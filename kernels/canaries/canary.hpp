// canary.hpp - subjects that are wrong on purpose, the control among them.
//
// Each canary is its control with one fault, in one file of kernels/canaries/faults: the plain
// kernel, or a variant of it where the fault needs one. A harness that accepts a canary is broken;
// so is one that rejects a control.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/subject.hpp"

namespace attest {

struct Canary {
  std::string_view name;   // "canary/m11-top-left-causal"
  std::string_view code;   // of the fault catalogue: "M11"; empty where it has none
  std::string_view fault;  // one sentence; empty for the control
  std::string_view law;    // the law that must reject it; empty for the control
  Index most_keys = 64;    // a shrunk failure must fit into this many keys
  Pass pass = Pass::fwd;   // of the cases that show it
  std::string_view control = "canary/none";  // what is right on the same cases
  std::string_view classes = "";  // of the fault catalogue that it stands for: "C03, C09"
  std::unique_ptr<Subject> (*make)() = nullptr;
};

// The control, canary/none, first.
[[nodiscard]] std::span<const Canary> canaries();

}  // namespace attest
