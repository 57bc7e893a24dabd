// backward_config.hpp - the decisions in which forms of the tiled backward differ.
#pragma once

#include <cstdint>

#include "core/numerics.hpp"

namespace attest {

// Every tile of keys has a share in every row of dQ. Who adds them up?
enum class DqBy : std::uint8_t {
  second_pass,  // a kernel of its own that goes over tiles of keys: the same bits in every run
  atomic_sums,  // the kernel of dK and dV, by atomic additions in whatever order they happen
};

// A template argument: each form is a row of kernels of its own.
struct BackwardConfig {
  Exponent exponent = Exponent::difference_first;
  bool approximate = false;  // the machine's exp2, not the portable polynomial
  DqBy dq = DqBy::second_pass;
  int omitted_barrier = 0;  // by number; 0: none. Tests show that each is needed.

  friend bool operator==(const BackwardConfig&, const BackwardConfig&) = default;
};

}  // namespace attest
