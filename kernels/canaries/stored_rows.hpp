// stored_rows.hpp - rows of a stored tensor into binary32 and back, for the plain kernel.
#pragma once

#include <vector>

#include "core/tensor.hpp"

namespace attest {

[[nodiscard]] inline std::size_t as_size(Index n) { return static_cast<std::size_t>(n); }

// Where an element of a tensor lies.
using AddressOf = const std::byte* (*)(const ConstTensorView& view, Index b, Index h, Index row,
                                       Index column);

[[nodiscard]] inline const std::byte* address_of(const ConstTensorView& view, Index b, Index h,
                                                 Index row, Index column) {
  return view.at(b, h, row, column);
}

// Rows first, first + 1, ... of one head, widened; what `to` has room for beyond them becomes zero,
// as a kernel's guarded tile load leaves it. Requires: f32, f16 or bf16, here and below.
void load_rows(const ConstTensorView& from, Index b, Index h, Index first, Index rows,
               std::vector<float>& to, AddressOf address = address_of);

[[nodiscard]] float load_element(const ConstTensorView& from, Index b, Index h, Index row,
                                 Index column = 0);

// Rounds one value a column, each times `scale` first.
void store_row(const TensorView& to, Index b, Index h, Index row, const float* values,
               float scale = 1);

// Zeros in every column.
void clear_row(const TensorView& to, Index b, Index h, Index row);

}  // namespace attest
