#include "properties/laws/laid_out_tensor.hpp"

#include <array>
#include <cstring>

namespace attest {
namespace {

// Dimensions from the outermost to the innermost.
using Order = std::array<std::size_t, 4>;

Order order_of(Layout layout) {
  if (layout == Layout::heads_inside) return {0, 2, 1, 3};
  if (layout == Layout::columns_apart) return {0, 1, 3, 2};
  return {0, 1, 2, 3};
}

constexpr Index kMoreRows = 2;
constexpr Index kMoreColumns = 3;

Extents strides_of(const Extents& extents, Layout layout) {
  if (layout == Layout::dense) return row_major(extents);
  if (layout == Layout::expanded) return {};
  const Order order = order_of(layout);
  const Extents of_whole = {extents[0], extents[1], extents[2] + kMoreRows,
                            extents[3] + kMoreColumns};
  Extents strides{};
  Index stride = 1;
  for (std::size_t n = order.size(); n-- > 0;) {
    strides[order[n]] = stride;
    stride *= of_whole[order[n]];
  }
  return strides;
}

template <class From, class To>
void copy_elements(const From& from, const To& to) {
  const auto width = static_cast<std::size_t>(bytes_of(from.format));
  for (Index b = 0; b < from.extents[0]; ++b) {
    for (Index h = 0; h < from.extents[1]; ++h) {
      for (Index row = 0; row < from.extents[2]; ++row) {
        for (Index column = 0; column < from.extents[3]; ++column) {
          std::memcpy(to.at(b, h, row, column), from.at(b, h, row, column), width);
        }
      }
    }
  }
}

}  // namespace

const char* name_of(Layout layout) {
  switch (layout) {
    case Layout::dense: return "dense";
    case Layout::sliced: return "sliced";
    case Layout::heads_inside: return "heads inside";
    case Layout::columns_apart: return "columns apart";
    case Layout::rows_backwards: return "rows backwards";
    case Layout::expanded: return "expanded";
  }
  return "";
}

LaidOutTensor::LaidOutTensor(const Tensor& dense, Layout layout, std::uint64_t guard) {
  const Extents extents = dense.extents();
  Extents strides = strides_of(extents, layout);
  const Index width = bytes_of(dense.format());
  // Of the whole that a layout is a part of: at least the dense tensor.
  const Index whole =
      extents[0] * extents[1] * (extents[2] + kMoreRows) * (extents[3] + kMoreColumns);
  Index origin = whole;
  if (layout == Layout::rows_backwards && extents[2] > 0) {
    origin += (extents[2] - 1) * strides[2];
    strides[2] = -strides[2];
  }
  buffer_.resize(static_cast<std::size_t>(3 * whole * width));
  for (std::size_t at = 0; at < buffer_.size(); at += static_cast<std::size_t>(width)) {
    std::memcpy(buffer_.data() + at, &guard, static_cast<std::size_t>(width));
  }
  view_ = {buffer_.data() + origin * width, dense.format(), extents, strides};
  copy_elements(dense.view(), view_);
  before_ = buffer_;
}

Tensor LaidOutTensor::dense() const {
  Tensor dense(view_.format, view_.extents);
  copy_elements(view_, dense.view());
  return dense;
}

bool LaidOutTensor::guards_stand() const {
  std::vector<std::byte> restored = buffer_;
  TensorView elements = view_;
  elements.data = restored.data() + (view_.data - buffer_.data());
  TensorView held = view_;
  held.data = const_cast<std::byte*>(before_.data()) + (view_.data - buffer_.data());
  copy_elements(held, elements);
  return restored == before_;
}

}  // namespace attest
