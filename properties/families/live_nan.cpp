// F23: a NaN among live values, in one of q, k and v. It must reach every output whose value
// depends on it and no other, so a guard for dead rows or a maximum that drops NaN shows. There are
// no infinities here: docs/decisions/0007 says for how many of them no answer is agreed upon.
#include <limits>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr double kTensors[] = {kTensorQ, kTensorK, kTensorV};
// One NaN in so many elements. A single one in K reaches every row that sees its key, so half of
// the cases are sparse: there a large problem keeps finite rows beside the others.
constexpr double kRarities[] = {256, 4096};

// The very first element always is one: no shape that keeps an element is too small.
bool is_nan(std::uint64_t seed, const Coordinates& at, std::uint32_t rarity) {
  if (at.b == 0 && at.h == 0 && at.row == 0 && at.column == 0) return true;
  return random_bits(seed, relabelled(at, kDrawOfNan))[0] % rarity == 0;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const auto chosen = static_cast<std::uint32_t>(case_choice(seed, 0, kTensors));
  const auto rarity = static_cast<std::uint32_t>(case_choice(seed, 1, kRarities));
  const auto value = [=](const Coordinates& at) {
    const bool nan = at.tensor == chosen && is_nan(seed, at, rarity);
    return nan ? std::numeric_limits<double>::quiet_NaN() : gaussian(seed, at);
  };
  fill_tensor(inputs.q, kTensorQ, value);
  fill_tensor(inputs.k, kTensorK, value);
  fill_tensor(inputs.v, kTensorV, value);
}

}  // namespace

// No floors: what is judged by number here is F0's.
Family live_nan_family() {
  Family family = {"F23", "a NaN among live values", "classes before numbers", 0, 0, keep_problem,
                   fill};
  family.live_nan = true;
  family.work = 2;
  return family;
}

}  // namespace attest
