// widen_row.hpp - a whole row of a tensor as binary64, exactly: ten times as fast as element by
// element, for whoever reads all of a tensor.
#pragma once

#include "core/tensor.hpp"

namespace attest {

// to[column] = view.value(b, h, row, column) for every column; a NaN comes out quiet.
void widen_row(const ConstTensorView& view, Index b, Index h, Index row, double* to);

}  // namespace attest
