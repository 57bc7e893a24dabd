// F13: dO of deviation 2^-12 to 2^-21. dS leaves the normal range of f16, and so do the gradients:
// what flushes subnormal numbers, or has no bound for their rounding, shows.
#include <cmath>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const int exponent = -12 - static_cast<int>(case_bits(seed, 0) % 10);
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_gaussian(inputs.v, kTensorV, seed);
  fill_gaussian(inputs.dout, kTensorDout, seed, std::ldexp(1.0, exponent));
  fill_gaussian(inputs.glse, kTensorGlse, seed, std::ldexp(1.0, exponent));
}

}  // namespace

Family tiny_dout_family() {
  Family family{"F13", "tiny dO", "underflow of dS and of the gradients", 0, 0, keep_problem, fill};
  family.backward_only = true;
  return family;
}

}  // namespace attest
