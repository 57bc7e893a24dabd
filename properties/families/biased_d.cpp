// F8: scores at -200 to -500 with long rows of Q, and all of dO of one sign. The rounding of the
// stored O shifts D of a row by a common amount, which dS carries into every key. It shows in dK as
// a bias along q, by per cents, and in dQ along the mean key, which is large here while the exact
// dQ nearly cancels along it: against the exact gradients a correct kernel may be off by as much as
// all of dQ. Against those of the stored O it may not.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

void fill(const Problem& problem, std::uint64_t seed, Inputs& inputs) {
  fill_deeply_negative(problem, seed, inputs);
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    return eight_bits(1 + small_integer(seed, at, 64) / 128.0);
  });
  fill_tensor(inputs.dout, kTensorDout, [=](const Coordinates& at) {
    return eight_bits(0.5 + small_integer(seed, at, 64) / 128.0);
  });
}

}  // namespace

Family biased_d_family() {
  Family family{"F8",
                "deeply negative scores, one sign of dO",
                "the bias that the rounding of O puts into D; |L| in the recomputed P",
                0,
                0,
                keep_problem,
                fill,
                true};
  family.backward_only = true;
  return family;
}

}  // namespace attest
