// emulation.hpp - what a run of the emulator is asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/machine/exp2_model.hpp"
#include "kernels/machine/matrix_unit.hpp"

namespace attest {

struct Emulation {
  MatrixUnit unit = MatrixUnit::h100();
  Exp2Model exp2{};  // what exp2_approx computes
  // Draws the order of blocks, and between any two barriers that of warps and lanes. 0: by number.
  std::uint64_t schedule_seed = 0;
  // Races, and reads of what nobody wrote, in shared and global memory. Bounds are always checked.
  bool detect_races = true;
  int threads = 1;  // operating system threads that blocks are spread over; 0: one a core
  std::size_t stack_bytes = 64 * 1024;  // a lane's; an overflow hits a guard page
  // Accesses and waits of its lanes after which a block is given up: a lane may wait in a loop for
  // what can never come. The default is half a minute or more.
  std::uint64_t most_steps = std::uint64_t{1} << 32;
};

}  // namespace attest
