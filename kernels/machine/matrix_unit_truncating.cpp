// Aligned sums, cut: what the matrix units of real GPUs do. Eight columns go at once in binary32
// where the largest exponent allows it, which is nearly always; the other elements one by one.
#include <bit>
#include <type_traits>

#include "kernels/machine/aligned_sum.hpp"
#include "kernels/machine/matrix_unit_rules.hpp"
#include "kernels/machine/unpacked.hpp"

namespace attest {
namespace {

// The eight-column way holds for a largest exponent in this range. Below, scaling would overflow;
// above, products would.
constexpr std::int32_t kLowest = -100;
constexpr std::int32_t kHighest = 125;

template <class Element>
constexpr int kSmallestNormal = std::is_same_v<Element, Fp16> ? -14 : -126;

struct Operands {
  TileA a;
  TileB b;
  alignas(32) std::int32_t a_exponent[kRows][kDepth];
  alignas(32) std::int32_t b_exponent[kDepth][kColumns];
};

Ints exponents(Floats x, int smallest_normal) {
  const Ints magnitude = std::bit_cast<Ints>(x) & INT32_MAX;
  const Ints exponent = (magnitude >> 23) - 127;
  const Ints clamped = exponent > smallest_normal ? exponent : Ints{} + smallest_normal;
  const Ints finite = exponent == 128 ? Ints{} + kExponentNotFinite : clamped;
  return magnitude == 0 ? Ints{} + kExponentOfZero : finite;
}

Floats power_of_two(Ints exponent) { return std::bit_cast<Floats>((exponent + 127) << 23); }

// To binary32, toward zero. Requires: below 2^30 in magnitude.
Floats cut_integers(Ints x) {
  const Floats nearest = __builtin_convertvector(x, Floats);
  const Ints back = __builtin_convertvector(nearest, Ints);
  const Ints too_large = x < 0 ? back < x : back > x;  // true is -1, a step toward zero in bits
  return std::bit_cast<Floats>(std::bit_cast<Ints>(nearest) + too_large);
}

// One row of c plus one block of products. `right` receives, lane by lane, -1 where the result is
// right and 0 where it is not.
//
// Exactness: a product of binary16 is exact in binary32, one of bfloat16 unless it falls below
// 2^-126, and then it is cut to zero either way, as is whatever becomes subnormal by scaling: the
// unit's last place is at least 2^(kLowest - 25) = 2^-125. No product overflows, since both
// significands are below 2. Sums wrap only where they pass 2^31; they stay below 3 * 2^30, so a
// sum that wrapped is seen by its first two bits.
template <int kWidth>
void add_block(const Operands& of, int fraction_bits, int i, int k0, float* c,
               std::int32_t* right) {
  const auto before = load<Floats>(c);
  Ints top = exponents(before, -126);
  for (int k = k0; k < k0 + kWidth; ++k) {
    const Ints exponent = of.a_exponent[i][k] + load<Ints>(of.b_exponent[k]);
    top = exponent > top ? exponent : top;
  }
  const Ints in_range = ((top >= kLowest) & (top <= kHighest)) | (top <= kExponentOfZero / 2);
  top = top < kLowest ? Ints{} + kLowest : (top > kHighest ? Ints{} + kHighest : top);

  const Floats scale = power_of_two(fraction_bits - top);
  auto sum = std::bit_cast<Words>(__builtin_convertvector(before * scale, Ints));
  for (int k = k0; k < k0 + kWidth; ++k) {
    const Floats product = of.a.value[i][k] * load<Floats>(of.b.value[k]);
    sum += std::bit_cast<Words>(__builtin_convertvector(product * scale, Ints));
  }
  const Ints small = std::bit_cast<Ints>(sum ^ sum << 1) >= 0;
  store(cut_integers(std::bit_cast<Ints>(sum)) * power_of_two(top - fraction_bits), c);
  store(in_range & small, right);
}

// The same for element (i, n) alone and any operands: c before the block, to c after it.
float add_to_element(const Operands& of, const MatrixUnit& unit, int i, int n, int k0, float c) {
  AlignedTerm terms[kDepth + 1];
  std::size_t count = 0;
  terms[count++] = {c, exponent_of(c, -126)};
  for (int k = k0; k < k0 + unit.width; ++k) {
    terms[count++] = {static_cast<double>(of.a.value[i][k]) * static_cast<double>(of.b.value[k][n]),
                      of.a_exponent[i][k] + of.b_exponent[k][n]};
  }
  return cut_to_binary32(aligned_sum({terms, count}, unit.fraction_bits));
}

// One block in all rows. Blocks of one row wait for each other, rows do not.
template <int kWidth>
void add_blocks(const Operands& of, const MatrixUnit& unit, int k0, PackedC& c) {
  const PackedC before = c;
  alignas(32) std::int32_t right[kRows][kColumns];
  Ints all_right = Ints{} - 1;
  for (int i = 0; i < kRows; ++i) {
    add_block<kWidth>(of, unit.fraction_bits, i, k0, c.value[i], right[i]);
    all_right &= load<Ints>(right[i]);
  }
  bool done = true;
  for (int n = 0; n < kColumns; ++n) done = done && all_right[n] != 0;
  if (done) return;
  for (int i = 0; i < kRows; ++i) {
    for (int n = 0; n < kColumns; ++n) {
      if (right[i][n] == 0) {
        c.value[i][n] = add_to_element(of, unit, i, n, k0, before.value[i][n]);
      }
    }
  }
}

template <int kWidth>
void add_all_blocks(const Operands& of, const MatrixUnit& unit, PackedC& c) {
  for (int k0 = 0; k0 < kDepth; k0 += kWidth) add_blocks<kWidth>(of, unit, k0, c);
}

}  // namespace

template <class Element>
void multiply_truncating(const MatrixUnit& unit, const PackedA& packed_a, const PackedB* packed_b,
                         PackedC* c, int tiles) {
  constexpr int kMin = kSmallestNormal<Element>;
  Operands of;
  unpack<Element>(packed_a, of.a);
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < kDepth; k += 8) {
      store(exponents(load<Floats>(of.a.value[i] + k), kMin), of.a_exponent[i] + k);
    }
  }
  for (int t = 0; t < tiles; ++t) {
    unpack<Element>(packed_b[t], of.b);
    for (int k = 0; k < kDepth; ++k) {
      store(exponents(load<Floats>(of.b.value[k]), kMin), of.b_exponent[k]);
    }
    if (unit.width == 4) add_all_blocks<4>(of, unit, c[t]);
    if (unit.width == 8) add_all_blocks<8>(of, unit, c[t]);
    if (unit.width == 16) add_all_blocks<16>(of, unit, c[t]);
  }
}

template void multiply_truncating<Fp16>(const MatrixUnit&, const PackedA&, const PackedB*, PackedC*,
                                        int);
template void multiply_truncating<Bf16>(const MatrixUnit&, const PackedA&, const PackedB*, PackedC*,
                                        int);

}  // namespace attest
