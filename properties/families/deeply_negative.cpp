// F7: every score lies at -200 to -500. Padding that scores 0, a maximum that starts at 0 and a
// finite stand-in for -infinity all win against such scores. Half of the cases also kill the first
// 16 keys for some rows, so that the running maximum meets a tile without a live key first.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr Index kFirstTile = 16;

// The last row sees only the last left + 1 keys, none of them in the first tile.
Problem adapt(Problem p, std::uint64_t seed) {
  if (case_bits(seed, 0) % 2 == 0) return p;
  p.n_q = std::max(p.n_q, Index{1});
  p.n_k = std::max(p.n_k, kFirstTile + 2 + case_bits(seed, 1) % 40);
  p.lq.clear();
  p.lk.clear();
  p.align = Align::bottom_right;
  p.left = case_bits(seed, 2) % (p.n_k - kFirstTile);
  p.right = case_bits(seed, 3) % 2 == 0 ? 0 : kUnlimited;
  return p;
}

double column_sign(std::uint64_t seed, std::uint32_t column) {
  return small_integer(seed, {kDrawOfColumn, 0, 0, 0, column}, 2) == 0 ? 1 : -1;
}

}  // namespace

void fill_deeply_negative(const Problem&, std::uint64_t seed, Inputs& inputs) {
  // q_c = -m w_c u_c and k_c = (2 + r/64) u_c with signs u: each term of the score is negative.
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    const double m = 112 + 8 * small_integer(seed, row, 12);
    return eight_bits(-m * steady_weight(at.column)) * column_sign(seed, at.column);
  });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) {
    return (2 + small_integer(seed, at, 8) / 64.0) * column_sign(seed, at.column);
  });
  fill_gaussian(inputs.v, kTensorV, seed);
}

Family deeply_negative_family() {
  return {"F7",
          "all scores deeply negative",
          "scores of padding; a finite -infinity; a maximum that starts at 0",
          0,
          0.02,
          adapt,
          fill_deeply_negative,
          true};
}

}  // namespace attest
