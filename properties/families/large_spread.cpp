// F1: scaled scores spread over +-50 to +-500, so that exponents of every size occur and most
// weights underflow. A wrong constant in front of the scores shows here first.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

// The deviation of a scaled score under the default scale is four times this.
constexpr double kKeyDeviations[] = {4.5, 6, 8, 16, 32};

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_gaussian(inputs.q, kTensorQ, seed, 4);
  fill_gaussian(inputs.k, kTensorK, seed, case_choice(seed, 0, kKeyDeviations));
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family large_spread_family() {
  return {"F1",
          "scaled scores spread over +-50 to +-500",
          "exponent error times m - s; underflow of P",
          0.3,
          0.02,
          keep_problem,
          fill,
          true};
}

}  // namespace attest
