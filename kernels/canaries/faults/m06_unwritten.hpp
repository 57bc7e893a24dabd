// M06 - what nobody writes: gradients of keys beyond the length, and the start of a sum.
//
// Stands for C10 (buffers longer than the last length, scratch that is taken for zero) and C13. The
// first needs a length below n_k; smallest: one query, one key, lk = 0. The second hides behind a
// single query row, whose scratch is still zero; smallest: two queries, two keys.
#pragma once

#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct UnwrittenTail : NoFault {
  static constexpr std::string_view kName = "canary/m06-unwritten-tail";
  static constexpr std::string_view kCode = "M06";
  static constexpr std::string_view kClasses = "C10, C13";
  static constexpr std::string_view kFault = "dK and dV of keys beyond the length are not written";
  static constexpr std::string_view kLaw = "write_coverage";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static constexpr bool kClearsUnseenKeys = false;
};

struct LeftoverScratch : NoFault {
  static constexpr std::string_view kName = "canary/m06-leftover-scratch";
  static constexpr std::string_view kCode = "M06";
  static constexpr std::string_view kClasses = "C10";
  static constexpr std::string_view kFault = "a tile's share of dQ begins at the last row's";
  static constexpr std::string_view kLaw = "gradient_accuracy";
  static constexpr Pass kPass = Pass::bwd;
  static constexpr Index kMostKeys = 64;

  static constexpr bool kClearsTileDq = false;
};

}  // namespace attest
