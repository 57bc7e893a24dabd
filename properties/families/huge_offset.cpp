// F11: offsets of 1e2 to 1e6 on the scaled scores, of both signs, row by row. Fused shifts lose
// everything here, and a finite stand-in for -infinity such as -5e4 is met from below. Only four
// columns are nonzero and d stays small, so that the budget of the score itself stays below 1.
#include <algorithm>
#include <cmath>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr double kKeyOffsets[] = {16, 32, 64};
constexpr double kLargestF16 = 65504;
constexpr std::uint32_t kNonzeroColumns = 4;

Problem adapt(Problem p, std::uint64_t) {
  p.d_qk = 1 + p.d_qk % 8;
  return p;
}

// A power of two from 2^8 to 2^20 with four more bits, of either sign.
double row_offset(std::uint64_t seed, const Coordinates& at) {
  const RandomBits bits = random_bits(seed, {kDrawOfRow, at.b, at.h, at.row, 0});
  const double magnitude =
      std::ldexp(1 + (bits[1] % 16) / 16.0, 8 + static_cast<int>(bits[0] % 13));
  return bits[2] % 2 == 0 ? magnitude : -magnitude;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const double key_offset = case_choice(seed, 0, kKeyOffsets);
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    if (at.column == 0) {
      return std::clamp(row_offset(seed, at) / key_offset, -kLargestF16, kLargestF16);
    }
    return at.column < kNonzeroColumns ? gaussian(seed, at) : 0.0;
  });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) {
    if (at.column == 0) return key_offset;
    return at.column < kNonzeroColumns ? gaussian(seed, at) : 0.0;
  });
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family huge_offset_family() {
  return {"F11",
          "offsets of 1e2 to 1e6, both signs",
          "a fused shift; a finite -infinity",
          0,
          0.02,
          adapt,
          fill,
          true};
}

}  // namespace attest
