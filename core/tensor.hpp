// tensor.hpp - four-dimensional tensors [b, h, row, column]: strided views, and an owner.
//
// A view does not own its bytes and may have any strides, zero and negative ones included. Values
// come out as bits or, exactly, as binary64; what goes in is bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/contract.hpp"
#include "core/format.hpp"

namespace attest {

using Index = std::int64_t;
using Extents = std::array<Index, 4>;  // b, h, row, column

[[nodiscard]] inline Index volume(const Extents& extents) {
  return extents[0] * extents[1] * extents[2] * extents[3];
}

[[nodiscard]] inline Extents row_major(const Extents& extents) {
  return {extents[1] * extents[2] * extents[3], extents[2] * extents[3], extents[3], 1};
}

template <class Byte>
struct BasicTensorView {
  Byte* data = nullptr;  // of element [0, 0, 0, 0]
  Format format = Format::f32;
  Extents extents{};
  Extents strides{};  // in elements

  BasicTensorView() = default;
  BasicTensorView(Byte* data_in, Format format_in, const Extents& extents_in,
                  const Extents& strides_in)
      : data(data_in), format(format_in), extents(extents_in), strides(strides_in) {}
  // A view that may write is also one that may not.
  template <class Other>
  requires std::is_convertible_v<Other*, Byte*> BasicTensorView(const BasicTensorView<Other>& other)
      : data(other.data), format(other.format), extents(other.extents), strides(other.strides) {}

  [[nodiscard]] Byte* at(Index b, Index h, Index row, Index column) const {
    ATTEST_EXPECTS(b >= 0 && b < extents[0] && h >= 0 && h < extents[1]);
    ATTEST_EXPECTS(row >= 0 && row < extents[2] && column >= 0 && column < extents[3]);
    return data + (b * strides[0] + h * strides[1] + row * strides[2] + column * strides[3]) *
                      bytes_of(format);
  }

  [[nodiscard]] std::uint64_t bits(Index b, Index h, Index row, Index column) const {
    std::uint64_t pattern = 0;  // little-endian, like every machine this runs on
    std::memcpy(&pattern, at(b, h, row, column), static_cast<std::size_t>(bytes_of(format)));
    return pattern;
  }

  [[nodiscard]] double value(Index b, Index h, Index row, Index column) const {
    return widen_bits(format, bits(b, h, row, column));
  }

  void set_bits(Index b, Index h, Index row, Index column, std::uint64_t pattern) const
      requires(!std::is_const_v<Byte>) {
    std::memcpy(at(b, h, row, column), &pattern, static_cast<std::size_t>(bytes_of(format)));
  }
};

using TensorView = BasicTensorView<std::byte>;
using ConstTensorView = BasicTensorView<const std::byte>;

// Owns its bytes, row-major without gaps, all zero at first.
class Tensor {
 public:
  Tensor() = default;
  Tensor(Format format, const Extents& extents)
      : format_(format),
        extents_(extents),
        bytes_(static_cast<std::size_t>(volume(extents) * bytes_of(format))) {}

  [[nodiscard]] Format format() const { return format_; }
  [[nodiscard]] const Extents& extents() const { return extents_; }
  [[nodiscard]] Index size() const { return volume(extents_); }

  [[nodiscard]] TensorView view() {
    return {bytes_.data(), format_, extents_, row_major(extents_)};
  }
  [[nodiscard]] ConstTensorView view() const {
    return {bytes_.data(), format_, extents_, row_major(extents_)};
  }
  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  friend bool operator==(const Tensor&, const Tensor&) = default;  // bit for bit

 private:
  Format format_ = Format::f32;
  Extents extents_{};
  std::vector<std::byte> bytes_;
};

}  // namespace attest
