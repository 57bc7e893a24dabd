// M12 - the loop over key tiles ends where the first of 32 query rows does.
//
// Stands for C05 (tiles of queries that are longer than those of keys): later rows of the block
// lose the keys of the tiles behind. Bands without a right end hide it, and so does a block whose
// rows end in one tile. Smallest: 17 queries and 17 keys, causal.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct CausalTileBound : NoFault {
  static constexpr std::string_view kName = "canary/m12-causal-tile-bound";
  static constexpr std::string_view kCode = "M12";
  static constexpr std::string_view kClasses = "C05";
  static constexpr std::string_view kFault = "a block of 32 rows takes the tiles of its first row";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static Index row_end(const Problem& p, const RowAt& at, Index /*begin*/, Index end) {
    constexpr Index kRows = 32;
    constexpr Index kKeys = 16;
    if (p.right == kUnlimited) return end;
    const Index first_row = at.i - at.i % kRows;
    const Index last_key = first_row + band_offset(p, at.b) + std::min(p.right, p.n_k);
    return std::min(end, last_key < 0 ? 0 : (last_key / kKeys + 1) * kKeys);
  }
};

}  // namespace attest
