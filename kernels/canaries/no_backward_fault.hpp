// no_backward_fault.hpp - the decisions of the plain kernel's backward, one function each.
//
// Taken rightly; see no_fault.hpp. Decisions that the forward takes as well (which keys a row sees,
// scores, exp2) are asked there.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "core/tensor.hpp"
#include "kernels/canaries/narrow.hpp"

namespace attest {

struct NoBackwardFault {
  // The run. Does an entry end it?
  static bool ends_at(const Problem&, Index /*b*/) { return false; }
  // Which of the tiles of keys comes as the n-th.
  static Index tile_in_turn(const Problem&, Index n, Index /*tiles*/, std::uint64_t /*seed*/) {
    return n;
  }
  // Where an element of dO lies.
  static const std::byte* dout_address(const ConstTensorView& dout, Index b, Index h, Index i,
                                       Index column) {
    return dout.at(b, h, i, column);
  }

  // D, the row's constant.
  static DSource source_of_d(DSource declared) { return declared; }
  static float d_less_gl(float d, float gl) { return d - gl; }
  static float kept_d(float d) { return d; }  // as pairs take it
  // Where the gradients look for it: its own stage stored it at h * n_q + i.
  static Index d_place(const Problem& p, Index h, Index i) { return h * p.n_q + i; }

  // Pairs. `end` is where the live slots of a tile end, `tile_end` where the tile does.
  static Index slots_end(Index end, Index /*live_keys*/, Index /*tile_end*/) { return end; }
  static Index dp_columns(const Problem& p) { return p.d_v; }  // of dO and V in dP = dO V^T
  static float stored_ds(Format format, float ds) { return round_to_narrow(format, ds); }

  // Sums.
  static float gradient_sum(float sum) { return sum; }   // of dQ, dK, dV, after each operation
  static void enter_head(std::vector<float>& /*dk*/) {}  // of a group, before its rows
  static bool joins_group(std::size_t /*n*/) { return true; }  // does its n-th head add to dK, dV?
  static constexpr bool kClearsTileDq = true;                  // before a row's share of a tile
  static bool adds_to_dq(Index /*tile*/) { return true; }      // does this tile of keys?
  static constexpr bool kClearsUnseenKeys = true;              // dK and dV beyond the length
  // Rows of the dQ accumulator are padded to `pitch` columns; how far apart the store reads them.
  static Index dq_read_pitch(Index pitch, Index /*d_qk*/) { return pitch; }
};

}  // namespace attest
