// F16: one score towers over the others, by 128 or more, or by 45 in the widest heads, so every
// other weight is lost and O must equal v_j: a wrong index, stride or mask shows at the last bit. A
// ratio of 0 is right here.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kRanks = 256;  // distinct integers that bf16 holds
constexpr double kGap = 128;

// With many more products a score of 255 * 128 has no useful error bound: 256 u of it is 1/2. Later
// columns of Q are 0.
constexpr Index kMostProducts = 32;

Problem adapt(Problem p, std::uint64_t) {
  p.n_k = std::min(p.n_k, Index{kRanks});
  for (Index& length : p.lk) length = std::min(length, p.n_k);
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const std::uint32_t multiplier = case_bits(seed, 0) | 1;  // odd: a permutation of the ranks
  const std::uint32_t shift = case_bits(seed, 1);
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    if (at.column >= kMostProducts) return 0.0;
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    const double sign = small_integer(seed, row, 2) == 0 ? 1 : -1;  // highest or lowest rank wins
    return sign * kGap * steady_weight(at.column);
  });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) {
    return static_cast<double>((multiplier * at.row + shift) % kRanks);
  });
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family one_hot_family() {
  return {"F16",
          "one score far above the others",
          "indices, strides and masks at one ulp",
          0,
          0,
          adapt,
          fill,
          true};
}

}  // namespace attest
