// call_shapes.hpp - the tensors of a call in the order in which they travel.
#pragma once

#include <string_view>
#include <vector>

#include "core/problem.hpp"
#include "harness/subjects/isolation/messages.hpp"

namespace attest {

struct CallShape {
  std::string_view name;  // q, k, ...
  Format format = Format::f32;
  Extents extents{};
  bool by_keys = false;  // are its rows keys? Else they are queries

  [[nodiscard]] std::uint64_t size() const {  // in bytes
    return static_cast<std::uint64_t>(volume(extents) * bytes_of(format));
  }
};

// Of what a forward or a backward reads: q, k, v; for a backward o, lse, dout, and glse if the
// problem gives one. Requires: `step` is one of the two.
[[nodiscard]] std::vector<CallShape> input_shapes(const Problem& problem, WorkerStep step);
// Of what it writes: o, lse; or dq, dk, dv.
[[nodiscard]] std::vector<CallShape> output_shapes(const Problem& problem, WorkerStep step);

}  // namespace attest
