// M19 - one tensor is read as if it lay densely: V, or dO.
//
// Stands for C06 (strided, permuted and expanded operands). Dense tensors hide it. Smallest: one
// query, one key, two columns that do not lie side by side.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

// Of an element, if there were no gaps.
[[nodiscard]] inline const std::byte* dense_address(const ConstTensorView& view, Index b, Index h,
                                                    Index row, Index column) {
  const Extents dense = row_major(view.extents);
  return view.data +
         (b * dense[0] + h * dense[1] + row * dense[2] + column * dense[3]) * bytes_of(view.format);
}

struct VStrideIgnored : NoFault {
  static constexpr std::string_view kName = "canary/m19-v-stride-ignored";
  static constexpr std::string_view kCode = "M19";
  static constexpr std::string_view kClasses = "C06";
  static constexpr std::string_view kFault = "V is read as if it lay densely";
  static constexpr std::string_view kLaw = "layout";
  static constexpr Index kMostKeys = 64;

  static constexpr auto v_address = dense_address;
};

struct DoutStrideIgnored : NoFault {
  static constexpr std::string_view kName = "canary/m19-dout-stride-ignored";
  static constexpr std::string_view kCode = "M19";
  static constexpr std::string_view kClasses = "C06";
  static constexpr std::string_view kFault = "dO is read as if it lay densely";
  static constexpr std::string_view kLaw = "layout";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static constexpr auto dout_address = dense_address;
};

}  // namespace attest
