// permuted-columns - neighbouring columns of V change places on their way into the product.
//
// Stands for C19 (register layouts that another architecture orders differently): every number is
// there and the norm of O is right, so that only a comparison of elements shows it. One column
// hides it. Smallest: one query, one key, d_v = 2.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct PermutedColumns : NoFault {
  static constexpr std::string_view kName = "canary/permuted-columns";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kClasses = "C19";
  static constexpr std::string_view kFault = "neighbouring columns of V change places";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static const std::byte* v_address(const ConstTensorView& v, Index b, Index h, Index j,
                                    Index column) {
    const Index other = column ^ 1;
    return v.at(b, h, j, other < v.extents[3] ? other : column);
  }
};

}  // namespace attest
