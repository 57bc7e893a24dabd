// F6: one coordinate lifts every scaled score to about 500 to 4000 while the differences stay
// small. The offset cancels in O and does not in LSE.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

// 64 * 64 / sqrt(d) is 512 at d = 64 and 4096 at d = 1.
constexpr double kLift = 64;

Problem adapt(Problem p, std::uint64_t) {
  p.d_qk = std::max(p.d_qk, Index{2});  // one column lifts, the others tell the keys apart
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const auto lifted = [=](const Coordinates& at) {
    return at.column == 0 ? kLift : gaussian(seed, at);
  };
  fill_tensor(inputs.q, kTensorQ, lifted);
  fill_tensor(inputs.k, kTensorK, lifted);
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family lifted_scores_family() {
  return {"F6",
          "a common offset of 500 to 4000",
          "error proportional to |m|; a constant rounded twice",
          0.04,
          0.02,
          adapt,
          fill,
          true};
}

}  // namespace attest
