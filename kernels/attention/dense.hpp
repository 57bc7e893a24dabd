// dense.hpp - tensors as kernels want them: row-major without gaps, at multiples of 16 bytes.
//
// Views may have any strides. What already lies densely is used in place, anything else is copied,
// an output back again when it is settled.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "core/contract.hpp"
#include "core/tensor.hpp"

namespace attest {

constexpr std::size_t kDenseAlignment = 16;

template <class Byte>
[[nodiscard]] bool is_dense(const BasicTensorView<Byte>& view) {
  return view.strides == row_major(view.extents) &&
         reinterpret_cast<std::uintptr_t>(view.data) % kDenseAlignment == 0;
}

// Calls act(element of the view, its number in row-major order).
template <class Byte, class Act>
void for_each_element(const BasicTensorView<Byte>& view, Act act) {
  std::size_t n = 0;
  for (Index b = 0; b < view.extents[0]; ++b) {
    for (Index h = 0; h < view.extents[1]; ++h) {
      for (Index row = 0; row < view.extents[2]; ++row) {
        for (Index column = 0; column < view.extents[3]; ++column) {
          act(view.at(b, h, row, column), n++);
        }
      }
    }
  }
}

// T has the size of the view's format. Requires: the view outlives this.
template <class T, class Byte>
class Dense {
 public:
  explicit Dense(const BasicTensorView<Byte>& view) : view_(view) {
    ATTEST_EXPECTS(sizeof(T) == static_cast<std::size_t>(bytes_of(view.format)));
    if (is_dense(view)) return;
    copy_ = std::make_unique<T[]>(static_cast<std::size_t>(count()));
    for_each_element(view,
                     [&](Byte* from, std::size_t n) { std::memcpy(&copy_[n], from, sizeof(T)); });
  }

  [[nodiscard]] T* data() {
    return copy_
               ? copy_.get()
               : const_cast<T*>(reinterpret_cast<const T*>(view_.data));  // const again in input()
  }
  [[nodiscard]] Index count() const { return volume(view_.extents); }

  // Brings an output to where its view says.
  void settle() requires(!std::is_const_v<Byte>) {
    if (!copy_) return;
    for_each_element(view_,
                     [&](Byte* to, std::size_t n) { std::memcpy(to, &copy_[n], sizeof(T)); });
  }

 private:
  BasicTensorView<Byte> view_;
  std::unique_ptr<T[]> copy_;
};

template <class T>
using DenseInput = Dense<T, const std::byte>;
template <class T>
using DenseOutput = Dense<T, std::byte>;

}  // namespace attest
