// unpacked.hpp - the operands of a product as plain binary32 matrices: where the layout of a
// warp's registers ends and arithmetic begins.
#pragma once

#include <bit>
#include <type_traits>

#ifdef __F16C__
#include <immintrin.h>
#endif

#include "kernels/machine/columns.hpp"
#include "kernels/machine/conversions.hpp"
#include "kernels/machine/matrix_unit.hpp"

namespace attest {

constexpr int kRows = 16;
constexpr int kDepth = 16;
constexpr int kColumns = 8;

struct TileA {
  alignas(32) float value[kRows][kDepth];
};
struct TileB {
  alignas(32) float value[kDepth][kColumns];
};

using Patterns [[gnu::vector_size(16)]] = std::uint16_t;

// Exactly, like widen(), which stands in where the machine lacks the instruction for binary16.
template <class Element>
[[nodiscard]] inline Floats widen_eight(Patterns patterns) {
  if constexpr (std::is_same_v<Element, Bf16>) {
    return std::bit_cast<Floats>(__builtin_convertvector(patterns, Ints) << 16);
  } else {
#ifdef __F16C__
    return _mm256_cvtph_ps(std::bit_cast<__m128i>(patterns));
#else
    Floats wide;
    for (int n = 0; n < 8; ++n) wide[n] = widen(Fp16{patterns[n]});
    return wide;
#endif
  }
}

// Row-major quarters of a, one above the other first.
template <class Element>
inline void unpack(const PackedA& packed, TileA& a) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (int i = 0; i < 8; ++i) {
      const auto row = load<Patterns>(packed.pack[quarter] + 4 * i);
      store(widen_eight<Element>(row), a.value[8 * (quarter % 2) + i] + 8 * (quarter / 2));
    }
  }
}

// Column-major halves of b, transposed on the way: a pack holds two neighbouring k of one column.
template <class Element>
inline void unpack(const PackedB& packed, TileB& b) {
  for (int half = 0; half < 2; ++half) {
    const auto transpose_four_columns = [&](int n, Ints& pairs01, Ints& pairs23) {
      const auto left = load<Ints>(packed.pack[half] + 4 * n);
      const auto right = load<Ints>(packed.pack[half] + 4 * (n + 2));
      pairs01 = __builtin_shuffle(left, right, Ints{0, 4, 8, 12, 1, 5, 9, 13});
      pairs23 = __builtin_shuffle(left, right, Ints{2, 6, 10, 14, 3, 7, 11, 15});
    };
    Ints left01, left23, right01, right23;
    transpose_four_columns(0, left01, left23);
    transpose_four_columns(4, right01, right23);
    constexpr Ints kLow{0, 1, 2, 3, 8, 9, 10, 11}, kHigh{4, 5, 6, 7, 12, 13, 14, 15};
    const Ints pairs[4] = {
        __builtin_shuffle(left01, right01, kLow), __builtin_shuffle(left01, right01, kHigh),
        __builtin_shuffle(left23, right23, kLow), __builtin_shuffle(left23, right23, kHigh)};
    for (int j = 0; j < 4; ++j) {
      const int k = 8 * half + 2 * j;
      store(widen_eight<Element>(__builtin_convertvector(pairs[j] & 0xffff, Patterns)), b.value[k]);
      store(widen_eight<Element>(__builtin_convertvector(pairs[j] >> 16 & 0xffff, Patterns)),
            b.value[k + 1]);
    }
  }
}

}  // namespace attest
