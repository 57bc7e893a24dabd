// F12: the rows of V are nearly the same vector, so dP_ij - D_i nearly vanishes: what is left may
// be all error of dP and of D. A budget relative to dS would blame every kernel; one for the
// absolute terms rejects a D or a dP that was rounded to 16 bits.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr double kSpreads[] = {0x1p-6, 0x1p-8, 0};  // 0: one-hot rows of P instead

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const double spread = case_choice(seed, 0, kSpreads);
  const double sharpness = spread == 0 ? 6 : 1;
  fill_gaussian(inputs.q, kTensorQ, seed, sharpness);
  fill_gaussian(inputs.k, kTensorK, seed, sharpness);
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    const Coordinates column{kDrawOfColumn, at.b, at.h, 0, at.column};
    const double shared = spread == 0 ? 0 : 1 + small_integer(seed, column, 8) / 4.0;
    return shared + (spread == 0 ? 1 : spread) * gaussian(seed, at);
  });
}

}  // namespace

Family cancelling_dp_family() {
  Family family{"F12", "dP - D cancels", "accumulation of dP, and D", 0, 0, keep_problem, fill};
  family.backward_only = true;
  return family;
}

}  // namespace attest
