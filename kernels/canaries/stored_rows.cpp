#include "kernels/canaries/stored_rows.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/canaries/narrow.hpp"

namespace attest {

void load_rows(const ConstTensorView& from, Index b, Index h, Index first, Index rows,
               std::vector<float>& to, AddressOf address) {
  auto next = to.begin();
  for (Index row = first; row < first + rows; ++row) {
    for (Index column = 0; column < from.extents[3]; ++column) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, address(from, b, h, row, column), as_size(bytes_of(from.format)));
      *next++ = widen_stored(from.format, bits);
    }
  }
  std::fill(next, to.end(), 0.0f);
}

float load_element(const ConstTensorView& from, Index b, Index h, Index row, Index column) {
  return widen_stored(from.format, from.bits(b, h, row, column));
}

void store_row(const TensorView& to, Index b, Index h, Index row, const float* values,
               float scale) {
  for (Index column = 0; column < to.extents[3]; ++column) {
    to.set_bits(b, h, row, column, round_to_stored(to.format, values[column] * scale));
  }
}

void clear_row(const TensorView& to, Index b, Index h, Index row) {
  for (Index column = 0; column < to.extents[3]; ++column) to.set_bits(b, h, row, column, 0);
}

}  // namespace attest
