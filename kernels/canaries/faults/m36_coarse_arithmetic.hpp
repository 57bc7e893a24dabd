// M36 - scores in bf16, a row sum in TF32, an exp2 of 13 bits, where binary32 is declared.
//
// Stands for C23 (systematic loss). Rows with one key hide the last two, scores that bf16 holds the
// first. Smallest: two keys for the sum and for exp2; one key whose score needs nine bits for the
// scores, seen in LSE.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "kernels/canaries/narrow.hpp"
#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct ScoresInBf16 : NoFault {
  static constexpr std::string_view kName = "canary/m36-scores-in-bf16";
  static constexpr std::string_view kCode = "M36";
  static constexpr std::string_view kClasses = "C23";
  static constexpr std::string_view kFault = "scores are rounded to bf16";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float score(float x) { return round_to_narrow(Format::bf16, x); }
};

struct RowSumInTf32 : NoFault {
  static constexpr std::string_view kName = "canary/m36-row-sum-in-tf32";
  static constexpr std::string_view kCode = "M36";
  static constexpr std::string_view kClasses = "C23";
  static constexpr std::string_view kFault = "the row sum is rounded to TF32";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  static float row_sum(float l) {
    const auto bits = std::bit_cast<std::uint32_t>(l);
    return std::bit_cast<float>((bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu);
  }
};

struct CubicExp2 : NoFault {
  static constexpr std::string_view kName = "canary/m36-cubic-exp2";
  static constexpr std::string_view kCode = "M36";
  static constexpr std::string_view kClasses = "C23";
  static constexpr std::string_view kFault = "exp2 is a cubic, right to 13 bits";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  // 2^f on [0, 1) by the cubic with value 1 at 0 of least relative error, 2^-13.5.
  static float exp2(float z) {
    const float whole = std::floor(z);
    if (!(whole > -1000)) return NoFault::exp2(z);  // 0, or NaN
    const float f = z - whole;
    const float cubic =
        std::fma(std::fma(std::fma(0x1.3baaa6p-4f, f, 0x1.d2378ap-3f), f, 0x1.63e658p-1f), f, 1.0f);
    return std::ldexp(cubic, static_cast<int>(whole));
  }
};

}  // namespace attest
