#include "properties/laws/nonfinite.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "properties/laws/liveness.hpp"

namespace attest {
namespace {

// In every head; a tensor that is not there has none.
bool row_is_finite(const Tensor& tensor, Index b, Index row) {
  const ConstTensorView view = tensor.view();
  for (Index h = 0; h < view.extents[1]; ++h) {
    for (Index column = 0; column < view.extents[3]; ++column) {
      if (!std::isfinite(view.value(b, h, row, column))) return false;
    }
  }
  return true;
}

// Does no element have all bits of `exponent`? In blocks of a fixed size, for the vectorizer: every
// law asks it of every subject.
template <class Bits>
bool none_has_all(const std::vector<std::byte>& bytes, std::uint64_t exponent) {
  constexpr std::size_t kBlock = 64;
  const auto all = static_cast<Bits>(exponent);
  for (std::size_t at = 0; at < bytes.size();) {
    Bits block[kBlock] = {};
    const std::size_t size = std::min(sizeof block, bytes.size() - at);
    std::memcpy(block, bytes.data() + at, size);
    at += size;
    bool found = false;
    for (const Bits bits : block) found |= (bits & all) == all;
    if (found) return false;
  }
  return true;
}

// Every element, seen or not. Nearly always, and then no mask need be asked.
bool all_finite(const Tensor& tensor) {
  const FormatShape shape = shape_of(tensor.format());
  const std::uint64_t fraction =
      (std::uint64_t{1} << (shape.precision - 1 + shape.unused_bits)) - 1;
  const std::uint64_t exponent = ((std::uint64_t{1} << (shape.bits - 1)) - 1) & ~fraction;
  switch (shape.bits) {
    case 8: return none_has_all<std::uint8_t>(tensor.bytes(), exponent);
    case 16: return none_has_all<std::uint16_t>(tensor.bytes(), exponent);
    case 32: return none_has_all<std::uint32_t>(tensor.bytes(), exponent);
    default: return none_has_all<std::uint64_t>(tensor.bytes(), exponent);
  }
}

bool all_finite(const Inputs& inputs) {
  return all_finite(inputs.q) && all_finite(inputs.k) && all_finite(inputs.v) &&
         all_finite(inputs.dout) && all_finite(inputs.glse);
}

}  // namespace

bool may_spread(const Problem& problem, const Inputs& inputs, const Semantics& semantics) {
  if (semantics.nonfinite == NonFinite::row_local || all_finite(inputs)) return false;
  for (Index b = 0; b < problem.batch; ++b) {
    const Liveness liveness(problem, b);
    for (Index i = 0; i < liveness.rows(); ++i) {
      if (!row_is_finite(inputs.q, b, i) || !row_is_finite(inputs.dout, b, i)) return true;
      if (!row_is_finite(inputs.glse, b, i)) return true;
    }
    for (Index j = 0; j < liveness.keys(); ++j) {
      if (liveness.unseen(j)) continue;
      if (!row_is_finite(inputs.k, b, j) || !row_is_finite(inputs.v, b, j)) return true;
    }
  }
  return false;
}

}  // namespace attest
