#include "judge/widened_rows.hpp"

#include "core/widen_row.hpp"

namespace attest {

std::vector<double> widened_rows(const ConstTensorView& from, Index b, Index h, Index first,
                                 Index rows) {
  const Index columns = from.extents[3];
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (Index n = 0; n < rows; ++n) {
    widen_row(from, b, h, first + n, values.data() + n * columns);
  }
  return values;
}

}  // namespace attest
