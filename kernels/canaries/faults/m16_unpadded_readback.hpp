// M16 - dQ gathers in rows padded to eights of columns and is read back as if they were not.
//
// Stands for C11 (head dimensions that are no multiple of the tile). d_qk = 8, 16, ... hides it,
// and so does a single row. Smallest: two queries, one key, d_qk = 1: row 1 returns a padding
// column.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct UnpaddedReadback : NoFault {
  static constexpr std::string_view kName = "canary/m16-unpadded-readback";
  static constexpr std::string_view kCode = "M16";
  static constexpr std::string_view kClasses = "C11";
  static constexpr std::string_view kFault = "padded rows of dQ are read back unpadded";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static Index dq_read_pitch(Index, Index d_qk) { return d_qk; }
};

}  // namespace attest
