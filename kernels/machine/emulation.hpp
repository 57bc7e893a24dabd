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
  // Steps after which a block is given up, since a lane may wait in a loop for what can never come:
  // an access of a lane is one, a wait kStepsOfWait. 0: default_patience of the device's tensors. A
  // loop without accesses and waits is not seen, and hangs.
  std::uint64_t most_steps = 0;
};

constexpr int kStepsOfWait = 8;  // about as long, so that steps measure time: a few ns each

// More steps than a healthy block makes where all tensors have `elements` elements. No constant
// would do: a block that goes over a million keys takes longer than one may wait for a small one
// that is endless. A healthy block makes 4 to 13 steps for each element of its keys and values, and
// 370 where one feature is padded to 64. An endless one of a small problem lasts a second or two.
[[nodiscard]] constexpr std::uint64_t default_patience(std::uint64_t elements) {
  constexpr std::uint64_t kAtLeast = std::uint64_t{1} << 27, kOfElement = 2048;
  return kAtLeast + kOfElement * elements;
}

}  // namespace attest
