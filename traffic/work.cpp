#include "traffic/work.hpp"

#include <algorithm>

#include "traffic/live_counts.hpp"

namespace attest {

Index matrix_bytes(Index rows, Index columns, Index width) { return rows * columns * width; }

Index forward_flops(const Problem& p) { return 2 * (p.d_qk + p.d_v) * live_pairs(p); }

Index backward_flops(const Problem& p) { return (6 * p.d_qk + 4 * p.d_v) * live_pairs(p); }

bool agree(const MemoryUse& a, const MemoryUse& b) {
  return a.scratch_bytes == b.scratch_bytes && a.shared_bytes == b.shared_bytes &&
         std::ranges::is_permutation(a.traffic, b.traffic);
}

Index bytes_read(const MemoryUse& use) {
  Index bytes = 0;
  for (const TensorTraffic& tensor : use.traffic) bytes += tensor.traffic.bytes_read;
  return bytes;
}

Index bytes_written(const MemoryUse& use) {
  Index bytes = 0;
  for (const TensorTraffic& tensor : use.traffic) bytes += tensor.traffic.bytes_written;
  return bytes;
}

}  // namespace attest
