// M10 - parts that do not divide the tiles are rounded down, and what remains belongs to none.
//
// Stands for C01 and C03 (bounds of parts, tails). Numbers of parts that divide the tiles hide it,
// and so does the subject's own choice, which is no parts. Smallest: one query, 33 keys in two
// parts, where the third tile is lost.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct PartBounds : NoFault {
  static constexpr std::string_view kName = "canary/m10-part-bounds";
  static constexpr std::string_view kCode = "M10";
  static constexpr std::string_view kClasses = "C01, C03";
  static constexpr std::string_view kFault = "tiles that parts do not divide belong to no part";
  static constexpr std::string_view kLaw = "configurations";
  static constexpr Index kMostKeys = 64;
  static constexpr bool kOffersConfigurations = true;

  static Index part_k(Index, Index n_k, Index tile_k, Index parts) {
    const Index tiles = (n_k + tile_k - 1) / tile_k;
    return std::max<Index>(1, tiles / parts) * tile_k;
  }
};

}  // namespace attest
