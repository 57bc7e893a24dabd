// backward_traffic.hpp - closed formulas of what the tiled backward moves: docs/traffic.md.
// Requirements as in forward_traffic.hpp, and a problem with pass=bwd.
#pragma once

#include "core/traffic.hpp"
#include "traffic/kernel_layout.hpp"

namespace attest {

// Who sums dQ: a second pass over the keys, or atomic additions of the kernel of dK and dV.
enum class DqSummed : unsigned char { by_second_pass, by_atomics };

[[nodiscard]] MemoryUse tiled_backward_traffic(const Problem& problem, DqSummed dq);

// What a forward leaves for it: O and LSE.
[[nodiscard]] Index saved_bytes(const Problem& problem);

}  // namespace attest
