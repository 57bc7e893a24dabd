// widened_rows.hpp - rows of a tensor as binary64, many at a time: a replay reads every operand.
#pragma once

#include <vector>

#include "core/tensor.hpp"

namespace attest {

// [rows, columns], row by row, from row `first` of one head on.
[[nodiscard]] std::vector<double> widened_rows(const ConstTensorView& from, Index b, Index h,
                                               Index first, Index rows);

}  // namespace attest
