// F14: one key of each tile of 16 holds the maximum and the others lie 10 to 17 below it, where P
// is subnormal in f16. Each weight is lost to a unit that flushes, and all of them together are not
// small: V of the top keys is 0, so that O is theirs alone.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kTile = 16;

bool is_top(std::uint64_t seed, const Coordinates& at) {
  const Coordinates tile{kDrawOfKey, at.b, at.h, at.row / kTile, 1};
  return at.row % kTile == static_cast<std::uint32_t>(small_integer(seed, tile, kTile));
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) { return steady_weight(at.column); });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) {
    const Coordinates key{kDrawOfKey, at.b, at.h, at.row, 0};
    return is_top(seed, at) ? 0 : -10.25 - small_integer(seed, key, 100) / 16.0;
  });
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    return is_top(seed, at) ? 0 : 64 + small_integer(seed, at, 64) / 2.0;
  });
}

}  // namespace

Family subnormal_weights_family() {
  return {"F14",
          "weights that are subnormal in f16",
          "underflow of P; units that flush",
          0.5,
          0.3,
          keep_problem,
          fill};
}

}  // namespace attest
