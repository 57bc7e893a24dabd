// M07 - the offset of an element of V is computed in 32 bits.
//
// Stands for C07. Dense tensors below 2^31 elements hide it, and no test wants to be larger: a view
// whose batch stride alone is that large does as well. Smallest: two batch entries, one key each.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct Int32Offset : NoFault {
  static constexpr std::string_view kName = "canary/m07-int32-offset";
  static constexpr std::string_view kCode = "M07";
  static constexpr std::string_view kClasses = "C07";
  static constexpr std::string_view kFault = "offsets into V are computed in 32 bits";
  static constexpr std::string_view kLaw = "big_offsets";
  static constexpr Index kMostKeys = 64;

  static const std::byte* v_address(const ConstTensorView& v, Index b, Index h, Index j,
                                    Index column) {
    const Index offset =
        b * v.strides[0] + h * v.strides[1] + j * v.strides[2] + column * v.strides[3];
    return v.data + Index{static_cast<std::int32_t>(offset)} * bytes_of(v.format);
  }
};

}  // namespace attest
