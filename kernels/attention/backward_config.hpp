// backward_config.hpp - the decisions in which forms of the tiled backward differ.
//
// Two ways to sum dQ are kernels of their own. How weights are computed is chosen when a kernel
// runs: a few selected operations a pair, where a template argument would double what nvcc has to
// compile for each way.
#pragma once

#include <cstdint>

#include "core/numerics.hpp"

namespace attest {

// Every tile of keys has a share in every row of dQ. Who adds them up?
enum class DqBy : std::uint8_t {
  second_pass,  // a kernel of its own that goes over tiles of keys: the same bits in every run
  atomic_sums,  // the kernel of dK and dV, by atomic additions in whatever order they happen
};
inline constexpr DqBy kWaysToSumDq[] = {DqBy::second_pass, DqBy::atomic_sums};

// A template argument.
struct BackwardConfig {
  DqBy dq = DqBy::second_pass;
  // By number, none below 0. Tests show that each is needed. Not 0, since nvcc and g++ spell a
  // template argument that is all zeros in two ways, and device code is found by its name.
  int omitted_barrier = -1;

  friend bool operator==(const BackwardConfig&, const BackwardConfig&) = default;
};

// Of a run.
struct WeightRule {
  Exponent exponent = Exponent::difference_first;
  bool approximate = false;  // the machine's exp2, not the portable polynomial

  friend bool operator==(const WeightRule&, const WeightRule&) = default;
};

}  // namespace attest
