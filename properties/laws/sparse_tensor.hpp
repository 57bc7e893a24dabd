// sparse_tensor.hpp - a tensor whose elements lie more than 2^32 apart, without the memory.
//
// Address space is reserved, and only the pages that hold elements take memory.
#pragma once

#include <memory>

#include "core/tensor.hpp"

namespace attest {

struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* mapping) const;
};

class SparseTensor {
 public:
  // Past what 32 bits can hold, signed or not, and by no round number: cut to 32 bits, an offset
  // leads to no element or to one of another place, and does so with two entries.
  static constexpr Index kStride = 3 * (Index{1} << 31) + 8;

  // The same elements as `dense`: where `apart` asks for it, with kStride on the batch dimension,
  // or on that of heads if there is one entry; dense as they were where both have length one. Room
  // is left for every address that an offset truncated to 32 bits, signed or not, may lead to; it
  // holds zeros. Throws Error (ours) if the system refuses to reserve.
  SparseTensor(Tensor dense, bool apart);

  [[nodiscard]] bool apart() const { return mapping_ != nullptr; }
  [[nodiscard]] const TensorView& view() const { return view_; }
  [[nodiscard]] Tensor dense() const;  // the elements as they are now

 private:
  Tensor here_;  // the elements, unless they are apart
  std::unique_ptr<std::byte, Unmap> mapping_;
  TensorView view_;
};

}  // namespace attest
