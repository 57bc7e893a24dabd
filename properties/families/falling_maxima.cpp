// F4: the first key towers over the others, and each tile of 16 keys lies lower than the one
// before. The maximum never rises after the first tile, so every later weight is relative to a
// score far above it: a narrow P loses the tail there, while its sum has most of the keys.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kTile = 16;
constexpr double kSinks[] = {4, 8, 12};
constexpr double kSteps[] = {0.125, 0.5, 1};

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const double sink = case_choice(seed, 0, kSinks);
  const double step = case_choice(seed, 1, kSteps);
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    return eight_bits(steady_weight(at.column) * 0.25 * (3 + small_integer(seed, row, 2)));
  });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) {
    const Coordinates key{kDrawOfKey, at.b, at.h, at.row, 0};
    if (at.row == 0) return sink;
    return eight_bits(-step * (at.row / kTile) - small_integer(seed, key, 16) / 16.0);
  });
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    return at.row == 0 ? gaussian(seed, at) / 16 : 1 + small_integer(seed, at, 128) / 128.0;
  });
}

}  // namespace

Family falling_maxima_family() {
  return {"F4",
          "the first key above all, later tiles lower",
          "underflow of P far below the maximum",
          0.5,
          0.1,
          keep_problem,
          fill};
}

}  // namespace attest
