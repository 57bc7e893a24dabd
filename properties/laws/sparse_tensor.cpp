#include "properties/laws/sparse_tensor.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace attest {
namespace {

// Columns lie side by side in both.
void copy_elements(const ConstTensorView& from, const TensorView& to) {
  const auto row_bytes = static_cast<std::size_t>(from.extents[3] * bytes_of(from.format));
  for (Index b = 0; b < from.extents[0]; ++b) {
    for (Index h = 0; h < from.extents[1]; ++h) {
      for (Index row = 0; row < from.extents[2]; ++row) {
        if (row_bytes > 0) std::memcpy(to.at(b, h, row, 0), from.at(b, h, row, 0), row_bytes);
      }
    }
  }
}

// The bytes, which the system gives as zeros when they are first touched.
std::byte* reserve(std::size_t bytes) {
  void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    throw Error(Blame::ours, "law big_offsets: cannot reserve " + std::to_string(bytes) +
                                 " bytes of address space: " + std::strerror(errno));
  }
  madvise(mapping, bytes, MADV_NOHUGEPAGE);  // advice: a page a row, not two MiB
  return static_cast<std::byte*>(mapping);
}

}  // namespace

void Unmap::operator()(std::byte* mapping) const { munmap(mapping, bytes); }

SparseTensor::SparseTensor(Tensor dense, bool apart)
    : here_(std::move(dense)), view_(here_.view()) {
  const Extents extents = here_.extents();
  const std::size_t dimension = extents[0] > 1 ? 0 : 1;
  if (!apart || extents[dimension] < 2 || here_.size() == 0) return;
  Extents strides = row_major(extents);
  strides[dimension] = kStride;
  constexpr Index kBelow = Index{1} << 31;
  const Index above = extents[dimension] * kStride;
  const Index width = bytes_of(here_.format());
  const auto bytes = static_cast<std::size_t>((kBelow + above) * width);
  mapping_ = {reserve(bytes), Unmap{bytes}};
  view_ = {mapping_.get() + kBelow * width, here_.format(), extents, strides};
  copy_elements(here_.view(), view_);
}

Tensor SparseTensor::dense() const {
  Tensor dense(view_.format, view_.extents);
  copy_elements(view_, dense.view());
  return dense;
}

}  // namespace attest
