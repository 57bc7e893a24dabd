// columns.hpp - the eight columns of a 16x8 product side by side, as the compiler's vector types.
//
// g++ gives up on vectorising loops over eight here, at several times the cost. Vectors wider than
// 32 bytes would fall apart into scalars where AVX-512 is off; narrower registers just take two.
#pragma once

#include <cstdint>
#include <cstring>

namespace attest {

using Floats [[gnu::vector_size(32)]] = float;
using Ints [[gnu::vector_size(32)]] = std::int32_t;
using Words [[gnu::vector_size(32)]] = std::uint32_t;
using FourDoubles [[gnu::vector_size(32)]] = double;
using FourWords [[gnu::vector_size(32)]] = std::int64_t;
using FourFloats [[gnu::vector_size(16)]] = float;
using FourInts [[gnu::vector_size(16)]] = std::int32_t;

template <class Vector, class Element>
[[nodiscard]] inline Vector load(const Element* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class Vector, class Element>
inline void store(const Vector& vector, Element* to) {
  std::memcpy(to, &vector, sizeof vector);
}

}  // namespace attest
