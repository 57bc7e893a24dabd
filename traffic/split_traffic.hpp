// split_traffic.hpp - closed formulas of what kernels move that deal the keys into parts:
// docs/traffic.md. Requirements as in forward_traffic.hpp.
#pragma once

#include "core/traffic.hpp"
#include "traffic/kernel_layout.hpp"

namespace attest {

// How keys are dealt: part s holds the keys s part_k .. (s + 1) part_k - 1.
struct KeyParting {
  Index part_k;
  Index parts;

  friend bool operator==(const KeyParting&, const KeyParting&) = default;
};

// As many parts as make 128 blocks of them, of two tiles of keys at least.
[[nodiscard]] KeyParting usual_parts(const Problem& problem);
// A part a tile, and eight at least.
[[nodiscard]] KeyParting many_parts(const Problem& problem);
// For decode: a multiple of the warps of a block.
[[nodiscard]] KeyParting decode_parts(const Problem& problem);

// How parts hand on their outputs, and how often the merge goes over their LSEs.
struct PartialOutputs {
  Index o_bytes;     // of an element of a partial O
  Index lse_passes;  // 1, or 2 where weights are exp(LSE_s - LSE)
};

[[nodiscard]] MemoryUse split_forward_traffic(const Problem& problem, const KeyParting& parting,
                                              const PartialOutputs& partial);

// The query heads of a group packed into tiles of 16 rows; a part of the keys a warp.
[[nodiscard]] MemoryUse decode_forward_traffic(const Problem& problem);

}  // namespace attest
