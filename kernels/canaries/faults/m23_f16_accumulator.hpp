// M23 - the output accumulator is FP16.
//
// Stands for C04 (FP16 accumulators) and C23 (systematic loss). Needs a sum whose FP16 spacing
// passes the rounding of P and O, so many equal scores and V of one sign. Smallest with V = 100
// throughout: 87 keys in f16, 104 in bf16. Other values near 100 whose additions all round one way
// need fewer (f16, V = 102.75: 7), values that FP16 adds exactly for long need more (96: 683).
#pragma once

#include <string_view>

#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct F16Accumulator : NoFault {
  static constexpr std::string_view kName = "canary/m23-f16-accumulator";
  static constexpr std::string_view kCode = "M23";
  static constexpr std::string_view kClasses = "C04, C23";
  static constexpr std::string_view kFault = "the sum of weighted values is kept in FP16";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 104;

  static float accumulator(float acc) { return round_to_narrow(Format::f16, acc); }
};

}  // namespace attest
