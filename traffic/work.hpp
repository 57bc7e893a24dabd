// work.hpp - how much arithmetic a problem is, and how much of it each byte moved pays for.
#pragma once

#include "core/problem.hpp"
#include "core/traffic.hpp"

namespace attest {

// Bytes of a matrix whose elements take `width` bytes each.
[[nodiscard]] Index matrix_bytes(Index rows, Index columns, Index width);

// Of both products on live pairs, an addition and a multiplication each: 2 (d_qk + d_v) a pair.
// Padding and masked pairs of a tile are not work.
[[nodiscard]] Index forward_flops(const Problem& problem);

// Of the five products of a backward, S among them once more: 6 d_qk + 4 d_v a pair.
[[nodiscard]] Index backward_flops(const Problem& problem);

// The same tensors with the same bytes, in whatever order they were named, and the same totals.
[[nodiscard]] bool agree(const MemoryUse& a, const MemoryUse& b);

[[nodiscard]] Index bytes_read(const MemoryUse& use);
[[nodiscard]] Index bytes_written(const MemoryUse& use);
[[nodiscard]] inline Index bytes_moved(const MemoryUse& use) {
  return bytes_read(use) + bytes_written(use);
}

}  // namespace attest
