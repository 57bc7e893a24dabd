// launch_races.hpp - what the blocks of one launch do to each other in global memory.
//
// Nothing orders the blocks of a launch. So two blocks that touch one element race unless both only
// read it, or both only add to it atomically.
#pragma once

#include <string>
#include <vector>

#include "kernels/machine/findings.hpp"
#include "kernels/machine/touched_run.hpp"

namespace attest {

// Adds a finding for every pair of lines by which two blocks race, each with the first element
// where they do. `runs` are those of all blocks on the tensor of that name, and are sorted here.
// The outcome depends on the set of runs alone, not on their order.
void add_races_between_blocks(std::vector<TouchedRun>& runs, const std::string& tensor,
                              std::vector<Finding>& findings);

}  // namespace attest
