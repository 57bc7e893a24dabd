// backward_arithmetic.hpp - what a declaration says about the backward alone, as constants.
//
// Undeclared fields take their worst value, as in arithmetic.hpp; what each means for a gradient is
// derived in docs/error-analysis.md, section 8.
#pragma once

#include <optional>

#include "judge/arithmetic.hpp"

namespace attest {

struct BackwardArithmetic {
  Resolved shared;  // with what the forward declares; `assumed` names fields of both passes
  // Which D may be used. Several where it is not declared.
  bool d_from_stored_o = true;
  bool d_from_f32_o = true;
  bool d_from_p = true;
  bool p_rounded_in_ds = true;
  Format ds_format = Format::f32;
  double u_ds = 0;
  double eta_ds = 0;
  // How dQ may add tiles. Both where it is not declared.
  bool dq_one_chain = true;
  bool dq_by_tiles = true;
  Index dq_tile = 16;
  Index tile_q = 16;
  std::optional<Format> per_head;  // each head's dK and dV may be stored in it
  bool chain_per_head = false;     // they are sure to be; else one chain may run over the group
  double u_head = 0;
  double eta_head = 0;
};

[[nodiscard]] BackwardArithmetic resolve_backward(const Numerics& numerics, const Problem& problem);

// Lemma 4 for dQ over the live keys first ... last, `live` of them.
[[nodiscard]] double gam_of_dq(const BackwardArithmetic& arithmetic, Index first, Index last,
                               Index live);
// The same for `live` keys in `tiles` tiles.
[[nodiscard]] double gam_of_dq_in_tiles(const BackwardArithmetic& arithmetic, Index live,
                                        Index tiles);

// Lemma 4 for dK or dV of one key over `live` rows, which lie in `tiles` tiles.
[[nodiscard]] double gam_of_key(const BackwardArithmetic& arithmetic, Index live, Index tiles);

// The smallest magnitude at which the unit sees a non-zero operand of this format (Lemma 4).
[[nodiscard]] double operand_floor(const Resolved& arithmetic, Format format);

// A chain of `operations` in binary32 in which no term is rounded more often: n u / (1 - n u).
[[nodiscard]] double gam_of_f32_chain(Index operations);

}  // namespace attest
