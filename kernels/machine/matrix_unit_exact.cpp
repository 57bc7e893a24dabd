// The exact sum, rounded once. Nearly every element is settled in binary64, where products of
// 16-bit values are exact: what each addition loses is itself computed without error, and where the
// lost parts cannot matter to the rounding, the sum is rounded. The others are added exactly.
#include <bit>

#include "kernels/machine/exact_sum.hpp"
#include "kernels/machine/matrix_unit_rules.hpp"
#include "kernels/machine/unpacked.hpp"

namespace attest {
namespace {

constexpr int kHalf = kColumns / 2;

struct Wide {
  alignas(32) double a[kRows][kDepth];
  alignas(32) double b[kDepth][kColumns];
};

struct Sum {
  FourDoubles value;
  FourDoubles lost;  // the sum of the magnitudes that additions rounded away
};

FourDoubles magnitude(FourDoubles x) {
  return std::bit_cast<FourDoubles>(std::bit_cast<FourWords>(x) & INT64_MAX);
}

// Knuth's two-sum: sum + x = new sum + error, exactly.
void add(Sum& sum, FourDoubles x) {
  const FourDoubles total = sum.value + x;
  const FourDoubles x_part = total - sum.value;
  const FourDoubles error = (sum.value - (total - x_part)) + (x - x_part);
  sum.value = total;
  sum.lost += magnitude(error);
}

// Rounds into `to` and returns, lane by lane, whether that is proved to be right.
//
// The exact sum lies within sum.lost of sum.value up to the roundings of sum.lost itself, which the
// factor 2 covers; 2^-52 of the value covers the rounding of the two ends. Rounding is monotone, so
// ends that round alike leave no choice. Nothing lost: the sum is exact. Not finite: the lost part
// is NaN, the comparison false, and the sum the IEEE one, as promised.
FourInts round_if_proved(const Sum& sum, float* to) {
  const FourDoubles wide = 2.0 * sum.lost + 0x1p-52 * magnitude(sum.value);
  const FourDoubles margin = sum.lost > 0.0 ? wide : FourDoubles{};
  const FourFloats low = __builtin_convertvector(sum.value - margin, FourFloats);
  const FourFloats high = __builtin_convertvector(sum.value + margin, FourFloats);
  store(low, to);
  return std::bit_cast<FourInts>(low) == std::bit_cast<FourInts>(high);
}

float add_exactly(const Wide& wide, int i, int n, float c) {
  ExactSum sum;
  sum.add(c);
  for (int k = 0; k < kDepth; ++k) sum.add(wide.a[i][k] * wide.b[k][n]);
  return sum.round_to_binary32();
}

void multiply(const Wide& wide, PackedC& c) {
  for (int i = 0; i < kRows; ++i) {
    for (int first = 0; first < kColumns; first += kHalf) {
      float* const four = c.value[i] + first;
      const auto before = load<FourFloats>(four);
      Sum sum{__builtin_convertvector(before, FourDoubles), {}};
      for (int k = 0; k < kDepth; ++k) {
        add(sum, wide.a[i][k] * load<FourDoubles>(wide.b[k] + first));
      }
      const FourInts proved = round_if_proved(sum, four);
      for (int n = 0; n < kHalf; ++n) {
        if (proved[n] == 0) four[n] = add_exactly(wide, i, first + n, before[n]);
      }
    }
  }
}

}  // namespace

template <class Element>
void multiply_exact(const PackedA& packed_a, const PackedB* packed_b, PackedC* c, int tiles) {
  Wide wide;
  TileA a;
  TileB b;
  unpack<Element>(packed_a, a);
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < kDepth; ++k) wide.a[i][k] = a.value[i][k];
  }
  for (int t = 0; t < tiles; ++t) {
    unpack<Element>(packed_b[t], b);
    for (int k = 0; k < kDepth; ++k) {
      for (int n = 0; n < kColumns; ++n) wide.b[k][n] = b.value[k][n];
    }
    multiply(wide, c[t]);
  }
}

template void multiply_exact<Fp16>(const PackedA&, const PackedB*, PackedC*, int);
template void multiply_exact<Bf16>(const PackedA&, const PackedB*, PackedC*, int);

}  // namespace attest
