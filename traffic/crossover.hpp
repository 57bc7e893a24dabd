// crossover.hpp - from which length on tiling pays: bytes of the tiled kernel against those of one
// that stores S and P, for one head of n queries and n keys, without a mask, in 16 bits.
#pragma once

#include <optional>

#include "core/problem.hpp"

namespace attest {

// What tiling is compared with.
enum class Rival : unsigned char {
  materialising,    // the bundled one, S in binary32: its products read K and V tile by tile
  ideal_in_16_bits  // nobody's: S in 16 bits, and each operand of a product read once
};

// One head of n queries and n keys, d_qk = d_v = d, no mask.
[[nodiscard]] Problem square_head(Index n, Index d);

[[nodiscard]] Index tiled_bytes(Index n, Index d);
[[nodiscard]] Index rival_bytes(Rival rival, Index n, Index d);

// The first n at which the tiled kernel moves fewer bytes, and the first from which it does at
// every n up to `most`: nothing where there is none.
struct Crossover {
  std::optional<Index> first_fewer;
  std::optional<Index> always_fewer;
};
[[nodiscard]] Crossover crossover(Rival rival, Index d, Index most);

}  // namespace attest
