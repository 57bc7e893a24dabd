// touched_run.hpp - neighbouring elements of a tensor that one block touched in the same way.
//
// What a block leaves behind of its global accesses: short, since blocks touch rows, and
// independent of other blocks.
#pragma once

#include <cstdint>

#include "kernels/machine/where.hpp"

namespace attest {

struct TouchedRun {
  std::int64_t first, count;
  int tensor;  // GlobalTensor::id
  int block;   // its number in the grid
  // The last line that did so; nowhere if none did.
  Where read, written, added;

  [[nodiscard]] std::int64_t end() const { return first + count; }
  [[nodiscard]] bool only_read() const { return !is_somewhere(written) && !is_somewhere(added); }
};

}  // namespace attest
