// M12 - a tile of another size than the default one loses a ragged last tile.
//
// Stands for C03 (tails), in the backward also for C16. The default of 16 keys was written with
// care, the other sizes came with a table for tuning. Smallest: one query, one key, tiles of 4.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct OtherTileTail : NoFault {
  static constexpr std::string_view kName = "canary/m12-other-tile-tail";
  static constexpr std::string_view kCode = "M12";
  static constexpr std::string_view kClasses = "C03";
  static constexpr std::string_view kFault = "tiles of other than 16 keys lose a ragged last one";
  static constexpr std::string_view kLaw = "configurations";
  static constexpr Index kMostKeys = 1;
  static constexpr bool kOffersConfigurations = true;

  static Index key_limit(Index live_keys, Index tile_k) {
    return tile_k == 16 ? live_keys : live_keys / tile_k * tile_k;
  }
};

// The same in the backward alone: dQ, dK and dV lack the pairs of these keys.
struct OtherTileTailBackward : OtherTileTail {
  static constexpr Pass kPass = Pass::bwd;
  static constexpr std::string_view kName = "canary/m12-other-tile-tail-backward";
  static constexpr std::string_view kClasses = "C03, C16";
  static constexpr std::string_view kFault =
      "the backward's tiles of other than 16 keys lose a ragged last one";
};

}  // namespace attest
