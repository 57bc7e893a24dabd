// F0: what most suites test and nothing else; here the yardstick that the other families are
// harder than.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family gaussian_family() {
  return {"F0", "Gaussian q, k and v", "rounding of P and of the output", 0.15, 0.02, keep_problem,
          fill};
}

}  // namespace attest
