#include "kernels/attention/forward_limits.hpp"

#include <algorithm>

#include "kernels/attention/tile_plan.hpp"

namespace attest {
namespace {

// Rows are counted in 32 bits with room to add a tile; a launch has at most 65,535 blocks along its
// second and third axes.
constexpr Index kMostRows = Index{1} << 30;
constexpr Index kMostBlocks = 65'535;
constexpr Index kMostBlocksInAll = (Index{1} << 31) - 1;  // of a launch, counted by the emulator

std::string too_many(const char* key, Index value, Index most) {
  return std::string("the kernel takes ") + key + " up to " + std::to_string(most) + ", not " +
         std::to_string(value);
}

}  // namespace

std::optional<std::string> beyond_forward_kernels(const Problem& p) {
  if (p.in != Format::f16 && p.in != Format::bf16) {
    return "the kernel takes f16 or bf16 inputs, not " + std::string(shape_of(p.in).name);
  }
  if (p.out != p.in && p.out != Format::f32) {
    return "the kernel writes the format of its inputs or f32, not " +
           std::string(shape_of(p.out).name);
  }
  if (p.d_qk > kLargestHeadDim) return too_many("dqk", p.d_qk, kLargestHeadDim);
  if (p.d_v > kLargestHeadDim) return too_many("dv", p.d_v, kLargestHeadDim);
  if (p.n_q > kMostRows) return too_many("nq", p.n_q, kMostRows);
  if (p.n_k > kMostRows) return too_many("nk", p.n_k, kMostRows);
  if (p.heads_q > kMostBlocks) return too_many("hq", p.heads_q, kMostBlocks);
  if (p.batch > kMostBlocks) return too_many("b", p.batch, kMostBlocks);
  const Index blocks = p.batch * p.heads_q * ((p.n_q + kQueriesOfWarp - 1) / kQueriesOfWarp);
  if (blocks > kMostBlocksInAll) return too_many("blocks of queries", blocks, kMostBlocksInAll);
  return std::nullopt;
}

}  // namespace attest
