// F21: key counts that leave a tail of one key, of all but one, or of half a tile, under scores
// deep below 0: a padded key that scores 0 takes the whole row.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr Index kTiles[] = {16, 32, 64};

Problem adapt(Problem p, std::uint64_t seed) {
  const Index tile = kTiles[case_bits(seed, 0) % 3];
  const Index most = 128 / tile;
  const Index tiles = 1 + case_bits(seed, 1) % most;
  const Index offsets[] = {-1, 1, -tile / 2, tile / 2};
  p.n_k = tiles * tile + offsets[case_bits(seed, 2) % 4];
  for (Index& length : p.lk) length = std::min(length, p.n_k);
  return p;
}

}  // namespace

Family tail_sizes_family() {
  return {"F21",
          "tail sizes under deeply negative scores",
          "padding of the last tile",
          0,
          0.02,
          adapt,
          fill_deeply_negative,
          true};
}

}  // namespace attest
