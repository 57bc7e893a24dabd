#include "kernels/attention/backward_limits.hpp"

#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/tile_plan.hpp"

namespace attest {

// What the forward takes, and no more blocks of keys than a launch may have.
std::optional<std::string> beyond_backward_kernels(const Problem& p) {
  if (auto reason = beyond_forward_kernels(p)) return reason;
  constexpr Index kMostBlocks = (Index{1} << 31) - 1;
  const Index blocks = p.batch * p.heads_k * ((p.n_k + kQueriesOfWarp - 1) / kQueriesOfWarp);
  if (blocks <= kMostBlocks) return std::nullopt;
  return "the kernel takes blocks of keys up to " + std::to_string(kMostBlocks) + ", not " +
         std::to_string(blocks);
}

}  // namespace attest
