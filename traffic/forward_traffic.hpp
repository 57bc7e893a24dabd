// forward_traffic.hpp - closed formulas of what the forward kernels move: docs/traffic.md.
//
// From the problem and a tile's shape alone. Kernels and machine are not included, so that a count
// that agrees is evidence: the formula says what should be moved, the emulator what was. All
// require q, k and v of 16 bits and head dimensions up to 256.
#pragma once

#include "core/traffic.hpp"
#include "traffic/kernel_layout.hpp"

namespace attest {

// One pass over the keys, no score stored.
[[nodiscard]] MemoryUse tiled_forward_traffic(const Problem& problem, const TileShapes& tiles);

// Three kernels that hand on S, of `score_bytes` a score, and P, of 16 bits.
[[nodiscard]] MemoryUse materialising_forward_traffic(const Problem& problem, Index score_bytes);

}  // namespace attest
