// F17: all keys are one nonzero key and their number is a power of two, so each P is 1 and its
// roundings vanish: what is left are accumulation, division and the rounding of the output. A
// weight that is not exactly 1, or a row sum that is not exactly n_k, shows in LSE = s + log n_k.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

Problem adapt(Problem p, std::uint64_t seed) {
  p.n_k = Index{1} << case_bits(seed, 0) % 9;
  p.left = p.right = kUnlimited;
  p.lk.clear();
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_tensor(inputs.k, kTensorK, [=](Coordinates at) {
    at.row = 0;
    return gaussian(seed, at);
  });
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family equal_scores_family() {
  return {"F17",
          "2^n equal keys: P is exactly 1",
          "accumulation and output rounding alone",
          0.3,
          0.05,
          adapt,
          fill};
}

}  // namespace attest
