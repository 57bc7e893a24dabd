// F3: the maximum of each tile of 16 keys exceeds that of the tile before by 0.5 to 2, or by about
// 8 ln 2, up to which a rescale may wait; so an online softmax rescales at every tile. A stale
// maximum or a forgotten rescale cannot hide.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kTile = 16;
constexpr double kSteps[] = {1, 1.5, 2, 5.5, 5.625};  // the last two about 8 ln 2

Problem adapt(Problem p, std::uint64_t seed) {
  p.n_k = std::max(p.n_k, Index{34} + case_bits(seed, 1) % 40);
  return p;
}

// The ramp of key `at.row`: one key of each tile stands on the step, the others below it.
double ramp(std::uint64_t seed, const Coordinates& at, double step) {
  const std::uint32_t tile = at.row / kTile;
  const Coordinates key{kDrawOfKey, at.b, at.h, at.row, 0};
  const Coordinates top{kDrawOfKey, at.b, at.h, tile, 1};
  const bool on_step =
      at.row % kTile == static_cast<std::uint32_t>(small_integer(seed, top, kTile));
  return eight_bits(step * tile - (on_step ? 0 : 0.125 * small_integer(seed, key, 24)));
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const double step = case_choice(seed, 0, kSteps);
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    return eight_bits(steady_weight(at.column) * 0.25 * (2 + small_integer(seed, row, 3)));
  });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) { return ramp(seed, at, step); });
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family rising_maxima_family() {
  return {"F3",
          "each tile's maximum exceeds the last",
          "rescaling between tiles; a stale maximum",
          0.15,
          0.02,
          adapt,
          fill};
}

}  // namespace attest
