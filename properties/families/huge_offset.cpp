// F11: offsets of 1e2 to 1e6 on the scaled scores, of both signs, row by row; a finite stand-in for
// -infinity such as -5e4 is met from below. Only four columns are nonzero and d stays small, so
// that the budget of the score itself stays below 1. In half of the cases they are up to 1e12, or
// 4e9 in f16: there the rounding of m c alone is an exponent beyond every format of P, so that a
// fused shift makes an infinity or a dead row of it, and a row with one key must return its v all
// the same.
#include <algorithm>
#include <cmath>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr double kKeyOffsets[] = {16, 32, 64};
constexpr double kLargestF16 = 65504;
constexpr double kHugeKeyOffset = 32768;
constexpr std::uint32_t kNonzeroColumns = 4;
constexpr Index kMostColumns = 8;

Problem adapt(Problem p, std::uint64_t) {
  if (p.d_qk > kMostColumns) p.d_qk = 1 + p.d_qk % kMostColumns;
  return p;
}

bool is_huge(std::uint64_t seed) { return case_bits(seed, 1) % 2 == 0; }

// A power of two from 2^8 to 2^20, or from 2^24 to 2^39, with four more bits, of either sign.
double row_offset(std::uint64_t seed, const Coordinates& at) {
  const RandomBits bits = random_bits(seed, {kDrawOfRow, at.b, at.h, at.row, 0});
  const auto exponent = static_cast<int>(is_huge(seed) ? 24 + bits[0] % 16 : 8 + bits[0] % 13);
  const double magnitude = std::ldexp(1 + (bits[1] % 16) / 16.0, exponent);
  return bits[2] % 2 == 0 ? magnitude : -magnitude;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const double key_offset = is_huge(seed) ? kHugeKeyOffset : case_choice(seed, 0, kKeyOffsets);
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    if (at.column == 0) {
      const double q = row_offset(seed, at) / key_offset;
      return is_huge(seed) ? q : std::clamp(q, -kLargestF16, kLargestF16);
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
          "offsets of 1e2 to 1e12, both signs",
          "a fused shift; a finite -infinity",
          0,
          0.02,
          adapt,
          fill,
          true};
}

}  // namespace attest
