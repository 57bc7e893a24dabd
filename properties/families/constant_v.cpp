// F5: V is one constant, so O must be that constant whatever the scores are. What is left is the
// consistency of numerator and denominator; a ratio of 0 is right here.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

// The last two are subnormal in f16, where an accumulator that flushes loses all of O.
constexpr double kConstants[] = {1, 1, 1, -1, 0.5, 3, -7.25, 100, 0x1p-20, 0x1p-24};

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const double constant = case_choice(seed, 0, kConstants);
  fill_gaussian(inputs.q, kTensorQ, seed, 2);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates&) { return constant; });
}

}  // namespace

Family constant_v_family() {
  return {
      "F5", "V is one constant", "normalisation: numerator against denominator", 0, 0, keep_problem,
      fill};
}

}  // namespace attest
