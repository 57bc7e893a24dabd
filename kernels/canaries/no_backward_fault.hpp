// no_backward_fault.hpp - the decisions of the plain kernel's backward, one function each.
//
// Taken rightly; see no_fault.hpp. Decisions that the forward takes as well (which keys a row sees,
// scores, exp2) are asked there.
#pragma once

#include <vector>

#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "kernels/canaries/narrow.hpp"

namespace attest {

struct NoBackwardFault {
  // D, the row's constant.
  static DSource source_of_d(DSource declared) { return declared; }
  static float d_less_gl(float d, float gl) { return d - gl; }
  static float kept_d(float d) { return d; }  // as pairs take it

  // Pairs. `end` is where the live slots of a tile end, `tile_end` where the tile does.
  static Index slots_end(Index end, Index /*live_keys*/, Index /*tile_end*/) { return end; }
  static Index dp_columns(const Problem& p) { return p.d_v; }  // of dO and V in dP = dO V^T
  static float stored_ds(Format format, float ds) { return round_to_narrow(format, ds); }

  // Sums.
  static float gradient_sum(float sum) { return sum; }     // of dQ, dK, dV, after each operation
  static void enter_head(std::vector<float>& /*dk*/) {}    // of a group, before its rows
  static bool adds_to_dq(Index /*tile*/) { return true; }  // does this tile of keys?
  // Rows of the dQ accumulator are padded to `pitch` columns; how far apart the store reads them.
  static Index dq_read_pitch(Index pitch, Index /*d_qk*/) { return pitch; }
};

}  // namespace attest
