#include "properties/laws/nonfinite.hpp"

#include <cmath>

#include "properties/laws/liveness.hpp"

namespace attest {
namespace {

// In every head; a tensor that is not there has none.
bool row_is_finite(const Tensor& tensor, Index b, Index row) {
  const ConstTensorView view = tensor.view();
  for (Index h = 0; h < view.extents[1]; ++h) {
    for (Index column = 0; column < view.extents[3]; ++column) {
      if (!std::isfinite(view.value(b, h, row, column))) return false;
    }
  }
  return true;
}

}  // namespace

bool may_spread(const Problem& problem, const Inputs& inputs, const Semantics& semantics) {
  if (semantics.nonfinite == NonFinite::row_local) return false;
  for (Index b = 0; b < problem.batch; ++b) {
    const Liveness liveness(problem, b);
    for (Index i = 0; i < liveness.rows(); ++i) {
      if (!row_is_finite(inputs.q, b, i) || !row_is_finite(inputs.dout, b, i)) return true;
      if (!row_is_finite(inputs.glse, b, i)) return true;
    }
    for (Index j = 0; j < liveness.keys(); ++j) {
      if (liveness.unseen(j)) continue;
      if (!row_is_finite(inputs.k, b, j) || !row_is_finite(inputs.v, b, j)) return true;
    }
  }
  return false;
}

}  // namespace attest
