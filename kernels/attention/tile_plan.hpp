// tile_plan.hpp - how many queries and keys a block takes, from what a block may hold on chip.
//
// A block keeps its query tile and one tile of keys and values in shared memory, padded so that a
// warp's fragment loads hit different banks. Of a stated budget, d = 128 leaves half the keys of
// d = 64, and d = 256 half of those and half the queries. The f32 accumulators stay in registers:
// d / 2 of a lane's for the outputs, keys / 2 for the scores. They fit wherever shared memory does,
// but at d = 256 leave no room for fragments of q (TiledForward::kHoldsQ).
#pragma once

namespace attest {

// Bytes of shared memory that a block gets without asking for more, on every architecture.
constexpr int kSharedBudget = 48 * 1024;

constexpr int kQueriesOfWarp = 16;  // rows of one tile product
constexpr int kRowPadding = 8;      // elements of 16 bits

// Head dimensions are padded with zero columns to the next of these.
constexpr int kHeadDims[] = {64, 128, 256};
constexpr int kLargestHeadDim = 256;

constexpr int padded_head_dim(int d) { return d <= 64 ? 64 : d <= 128 ? 128 : kLargestHeadDim; }

struct TilePlan {
  int warps;
  int keys;

  [[nodiscard]] constexpr int queries() const { return warps * kQueriesOfWarp; }
  // Registers of a lane that hold binary32 sums.
  [[nodiscard]] constexpr int accumulators(int head_dim) const { return head_dim / 2 + keys / 2; }
  [[nodiscard]] constexpr int shared_bytes(int head_dim) const {
    return (queries() + 2 * keys) * (head_dim + kRowPadding) * 2;
  }
  friend constexpr bool operator==(const TilePlan&, const TilePlan&) = default;
};

// The most keys, up to a limit, then the most warps, that the budget admits for a padded head
// dimension. Both are powers of two; keys come in steps of 16, the depth of a tile product.
constexpr TilePlan plan_for(int head_dim, int most_warps, int most_keys) {
  for (int warps = most_warps; warps >= 1; warps /= 2) {
    for (int keys = most_keys; keys >= 16; keys /= 2) {
      const TilePlan plan{warps, keys};
      if (plan.shared_bytes(head_dim) <= kSharedBudget) return plan;
    }
  }
  return {0, 0};
}

// A lane has 255 registers; addresses, row states and operands take about a third.
static_assert(plan_for(256, 4, 64).accumulators(256) <= 170);
static_assert(plan_for(128, 4, 64).accumulators(128) + 128 / 4 <= 170);  // with fragments of q
static_assert(plan_for(64, 4, 64).keys == 64 && plan_for(64, 4, 64).warps == 4);
static_assert(plan_for(128, 4, 64).keys == 32 && plan_for(128, 4, 64).warps == 4);
static_assert(plan_for(256, 4, 64).keys == 16 && plan_for(256, 4, 64).warps == 2);

}  // namespace attest
