// laid_out_tensor.hpp - a tensor's elements in another order and with gaps, in a larger buffer
// whose other bytes are guards.
//
// The buffer reaches as far to both sides as the dense tensor would, so that a subject that ignores
// strides reads guards and no foreign memory.
#pragma once

#include <vector>

#include "core/tensor.hpp"

namespace attest {

enum class Layout : std::uint8_t {
  dense,
  sliced,          // of a tensor with more rows and columns: gaps after each row and each head
  heads_inside,    // [b, row, h, column], as the linear layer before attention leaves it
  columns_apart,   // [b, h, column, row]: columns do not lie side by side
  rows_backwards,  // strides of rows are negative
  expanded,        // all strides 0: every element is one. Requires: all have the same bits
};

[[nodiscard]] const char* name_of(Layout layout);

class LaidOutTensor {
 public:
  // `guard` is the pattern, in the tensor's format, of all that is no element.
  LaidOutTensor(const Tensor& dense, Layout layout, std::uint64_t guard);

  [[nodiscard]] const TensorView& view() const { return view_; }
  [[nodiscard]] Tensor dense() const;  // the elements as they are now
  // Does all that is no element hold what it held?
  [[nodiscard]] bool guards_stand() const;

 private:
  std::vector<std::byte> buffer_;
  std::vector<std::byte> before_;
  TensorView view_;
};

}  // namespace attest
