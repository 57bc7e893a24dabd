// backward_plan.hpp - how many rows a block of the backward takes, from what a block may hold on
// chip.
//
// A block owns rows of one kind, keys or queries, and holds two matrices of them: k and v, or q and
// dout. Rows of the other kind pass by in tiles, two matrices again. So both kernels of the
// backward follow one plan. At d = 256 nothing is left for more than 16 rows of each; and since the
// two gradients of 16 keys would be 256 registers of a lane, two warps share them there, each with
// half of the columns. Both compute the weights.
#pragma once

#include "kernels/attention/tile_plan.hpp"

namespace attest {

struct BackwardPlan {
  int own;      // rows of the block
  int passing;  // rows of a tile that passes by

  // Two rows of constants for each query, and the 16-bit dS of a tile for whoever multiplies it the
  // other way round.
  [[nodiscard]] constexpr int shared_bytes(int head_dim) const {
    const int rows = own > passing ? own : passing;
    return 2 * (own + passing) * (head_dim + kRowPadding) * 2 + 2 * rows * 4 +
           passing * (own + kRowPadding) * 2;
  }
};

// The most rows of the block, then the most of a tile, that the budget admits for a padded head
// dimension.
constexpr BackwardPlan backward_plan(int head_dim) {
  constexpr int kMostRows = 64, kMostPassing = 32;
  for (int own = kMostRows; own >= kQueriesOfWarp; own /= 2) {
    for (int passing = kMostPassing; passing >= kQueriesOfWarp; passing /= 2) {
      const BackwardPlan plan{own, passing};
      if (plan.shared_bytes(head_dim) <= kSharedBudget) return plan;
    }
  }
  return {0, 0};
}

// Warps that share 16 keys: each holds so many columns of dK and dV.
constexpr int kMostColumnsOfWarp = 128;
constexpr int warps_of_keys(int head_dim) {
  return head_dim <= kMostColumnsOfWarp ? 1 : head_dim / kMostColumnsOfWarp;
}

// Registers of a lane that hold binary32 sums: dK and dV of its columns, p and dS of a tile. It has
// 255; addresses and operands take about a third.
constexpr int accumulators_of_keys(int head_dim) {
  return head_dim / warps_of_keys(head_dim) + backward_plan(head_dim).passing;
}
static_assert(accumulators_of_keys(64) <= 170);
static_assert(accumulators_of_keys(128) <= 170);
static_assert(accumulators_of_keys(256) <= 170);
static_assert(backward_plan(64).own == 64 && backward_plan(64).passing == 32);
static_assert(backward_plan(128).own == 64 && backward_plan(128).passing == 16);
static_assert(backward_plan(256).own == 16 && backward_plan(256).passing == 16);

}  // namespace attest
