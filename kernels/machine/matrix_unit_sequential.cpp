#include <cmath>
#include <type_traits>

#include "kernels/machine/matrix_unit_rules.hpp"
#include "kernels/machine/unpacked.hpp"

#ifdef __FMA__
#include <immintrin.h>
#endif

namespace attest {
namespace {

// sum + a b, rounded once. Products of binary16 are exact in binary32, so there a separate
// multiplication is the same; those of bfloat16 can under- and overflow.
template <class Element>
Floats multiply_add(float a, Floats b, Floats sum) {
#ifdef __FMA__
  return _mm256_fmadd_ps(_mm256_set1_ps(a), b, sum);
#else
  if constexpr (std::is_same_v<Element, Fp16>) return sum + a * b;
  for (int n = 0; n < kColumns; ++n) sum[n] = std::fma(a, b[n], sum[n]);
  return sum;
#endif
}

}  // namespace

template <class Element>
void multiply_sequential(const PackedA& packed_a, const PackedB* packed_b, PackedC* c, int tiles) {
  // Rows at a time: enough chains to hide the latency of an addition, few enough for registers. The
  // compiler keeps the sums there only if it unrolls, which -O2 does when told.
  constexpr int kTogether = 8;
  TileA a;
  TileB b;
  unpack<Element>(packed_a, a);
  for (int t = 0; t < tiles; ++t) {
    unpack<Element>(packed_b[t], b);
    for (int first = 0; first < kRows; first += kTogether) {
      Floats sum[kTogether];
#pragma GCC unroll 8
      for (int i = 0; i < kTogether; ++i) sum[i] = load<Floats>(c[t].value[first + i]);
      for (int k = 0; k < kDepth; ++k) {
        const auto row = load<Floats>(b.value[k]);
#pragma GCC unroll 8
        for (int i = 0; i < kTogether; ++i) {
          sum[i] = multiply_add<Element>(a.value[first + i][k], row, sum[i]);
        }
      }
#pragma GCC unroll 8
      for (int i = 0; i < kTogether; ++i) store(sum[i], c[t].value[first + i]);
    }
  }
}

template void multiply_sequential<Fp16>(const PackedA&, const PackedB*, PackedC*, int);
template void multiply_sequential<Bf16>(const PackedA&, const PackedB*, PackedC*, int);

}  // namespace attest
