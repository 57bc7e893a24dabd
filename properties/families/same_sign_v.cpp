// F22: Gaussian scores under V of one sign. Nothing cancels in P V, so biased accumulation and
// correlated roundings reach the output whole.
#include <cmath>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const bool uniform_v = case_bits(seed, 0) % 2 == 0;
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    return uniform_v ? 1 + small_integer(seed, at, 128) / 128.0 : std::fabs(gaussian(seed, at));
  });
}

}  // namespace

Family same_sign_v_family() {
  return {"F22", "V of one sign", "biased accumulation of P V", 0.25, 0.02, keep_problem, fill};
}

}  // namespace attest
