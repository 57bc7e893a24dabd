// F9: pairs of columns (60, 60) . (t, -t) cancel in the score, so sum |q k| is far above |s|. What
// the score's own accumulation loses is most of the budget.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

Problem adapt(Problem p, std::uint64_t) {
  p.d_qk += p.d_qk % 2;  // whole pairs
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  // Even columns of q differ from 60 by at most a quarter: what is left of a pair is t times that.
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    return 60 + (at.column % 2 == 0 ? 0.25 * (small_integer(seed, at, 3) - 1) : 0);
  });
  fill_tensor(inputs.k, kTensorK, [=](const Coordinates& at) {
    const Coordinates pair{kDrawOfKey, at.b, at.h, at.row, at.column / 2};
    const double t = 4 + small_integer(seed, pair, 128) / 32.0;
    return at.column % 2 == 0 ? t : -t;
  });
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family cancelling_scores_family() {
  return {"F9", "scores that cancel within themselves", "accumulation of q.k", 0, 0, adapt, fill};
}

}  // namespace attest
