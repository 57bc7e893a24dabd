// gradient_climber.hpp - inputs and declarations changed step by step to raise error / budget of a
// correct backward.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tests/judge/judged_gradients.hpp"

namespace attest {

struct ClimbResult {
  // [view][dq, dk, dv]: the largest error / budget met.
  std::array<std::array<double, 3>, 2> best{};
  Index judged = 0;
  Index unbounded = 0;
  // By replay, where the declaration admits one: elements judged, and those with one value.
  Index replayed = 0;
  Index single = 0;
  std::string rejected;  // the first case that was not accepted, described; empty: none
};

// `starts` climbs of `steps` steps. Each starts at a declaration and at inputs drawn from every
// extreme of their formats, and climbs for one output in one view.
[[nodiscard]] ClimbResult climb_gradients(std::uint64_t seed, int starts, int steps);

}  // namespace attest
