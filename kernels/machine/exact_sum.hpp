// exact_sum.hpp - a sum without rounding: one fixed-point number wide enough for every product of
// 16-bit values and every binary32 value (Kulisch's accumulator).
//
// It is the slow way, taken where a sum in binary64 cannot prove its own rounding.
#pragma once

#include <array>
#include <cstdint>

namespace attest {

class ExactSum {
 public:
  // Requires: x finite, a multiple of 2^-300 and below 2^260 in magnitude; at most 2^10 additions.
  void add(double x);

  // To nearest, ties to even, gradual underflow, past the largest value to infinity. A sum of zero
  // is +0; one that underflows keeps its sign.
  [[nodiscard]] float round_to_binary32() const;

 private:
  // Two's complement, least significant word first, in units of 2^-300.
  std::array<std::uint64_t, 9> words_{};
};

}  // namespace attest
