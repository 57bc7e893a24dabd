// tiled_config.hpp - the decisions in which healthy and broken forms of the tiled kernel differ.
#pragma once

#include <cstdint>

#include "core/numerics.hpp"

namespace attest {

// A rule of the machine that a form breaks on purpose.
enum class MachineFault : std::uint8_t {
  none,
  missing_barrier,       // the next tile of keys overwrites one that slower warps still read
  read_past_tail,        // a ragged last tile is read as if it were whole
  unwritten_tail,        // the rows of a ragged tile beyond the last key are left as they were
  divergent_collective,  // rows that see no key skip a shuffle of their warp
};

// A template argument: each form is a kernel of its own.
struct TiledConfig {
  Exponent exponent = Exponent::difference_first;
  LFrom l_from = LFrom::unrounded;
  bool approximate = false;  // the machine's exp2 and log, not the portable polynomials
  int most_warps = 4;
  int most_keys = 64;
  MachineFault fault = MachineFault::none;
  int omitted_barrier = 0;  // by number; 0: none. Tests show that each is needed.
  bool spill_p = false;     // wrong on purpose: P goes through n_q x n_k of global memory
  bool split = false;       // a block takes a part of the keys, and leaves partial outputs

  friend bool operator==(const TiledConfig&, const TiledConfig&) = default;
};

}  // namespace attest
