// F19: Gaussian, and one element in 256 is ten times as large, in q, k and v: a few scores of a row
// and a few values of a column dominate, and they are not the same ones from row to row.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kRarity = 256;

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const auto value = [=](const Coordinates& at) {
    const Coordinates drawn = relabelled(at, kDrawOfOutlier + at.tensor);
    const bool rare = random_bits(seed, drawn)[0] % kRarity == 0;
    return gaussian(seed, at) * (rare ? 10 : 1);
  };
  fill_tensor(inputs.q, kTensorQ, value);
  fill_tensor(inputs.k, kTensorK, value);
  fill_tensor(inputs.v, kTensorV, value);
}

}  // namespace

Family outliers_family() {
  return {"F19",
          "rare values ten times as large",
          "rounding of P and S under mixed magnitudes",
          0.5,
          0.1,
          keep_problem,
          fill};
}

}  // namespace attest
