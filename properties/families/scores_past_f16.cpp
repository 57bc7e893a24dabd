// F10: one coordinate takes |q.k| to 2^17, beyond the largest f16, under either sign, while scaled
// scores stay finite everywhere else and differ by a few units. A score that is kept in f16,
// between two products or in memory, is an infinity here.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr double kQuery = 512;
constexpr double kKey = 256;
// The error of a score grows with them, times 2^17; later columns of Q are 0.
constexpr Index kMostProducts = 32;

Problem adapt(Problem p, std::uint64_t) {
  p.d_qk = std::max(p.d_qk, Index{2});
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    if (at.column >= kMostProducts) return 0.0;
    if (at.column > 0) return gaussian(seed, at);
    return small_integer(seed, row, 2) == 0 ? kQuery : -kQuery;
  });
  fill_tensor(inputs.k, kTensorK,
              [=](const Coordinates& at) { return at.column == 0 ? kKey : gaussian(seed, at); });
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family scores_past_f16_family() {
  return {"F10", "|q.k| = 2^17, both signs", "the range of a score in f16", 0.3, 0.3, adapt, fill,
          true};
}

}  // namespace attest
