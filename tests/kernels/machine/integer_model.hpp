// integer_model.hpp - a second way to every sum of a matrix unit: integers only, one element at a
// time, from the descriptions of the units and not from their implementation.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <span>
#include <type_traits>

#include "kernels/machine/matrix_unit.hpp"

namespace attest {

using BigInteger = boost::multiprecision::cpp_int;

// A finite value: integer * 2^(exponent - fraction_bits), subnormals at the smallest exponent.
struct Parts {
  std::int64_t integer;
  int exponent;
  int fraction_bits;
};

inline Parts parts_of(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int field = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const bool negative = (bits >> (exponent_bits + fraction_bits) & 1) != 0;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  std::int64_t integer = bits & ((1u << fraction_bits) - 1);
  if (field != 0) integer += std::int64_t{1} << fraction_bits;
  return {negative ? -integer : integer, std::max(field, 1) - bias, fraction_bits};
}
inline Parts parts_of(Fp16 x) { return parts_of(x.bits, 5, 10); }
inline Parts parts_of(Bf16 x) { return parts_of(x.bits, 8, 7); }
inline Parts parts_of(float x) { return parts_of(std::bit_cast<std::uint32_t>(x), 8, 23); }

template <class Element>
Parts product_of(Element a, Element b) {
  const Parts x = parts_of(a), y = parts_of(b);
  return {x.integer * y.integer, x.exponent + y.exponent, x.fraction_bits + y.fraction_bits};
}

// The bits of kept * 2^last. Requires: kept <= 2^24, and last = -149 where kept < 2^23.
inline std::uint32_t encode(bool negative, std::uint32_t kept, int last) {
  const std::uint32_t sign = negative ? 0x80000000u : 0u;
  if (kept < 1u << 23) return sign | kept;
  if (kept == 1u << 24) return encode(negative, 1u << 23, last + 1);
  const int field = last + 23 + 127;
  if (field >= 255) return sign | 0x7f800000u;
  return sign | static_cast<std::uint32_t>(field) << 23 | (kept & 0x7fffffu);
}

enum class Cut { toward_zero, to_nearest };

// magnitude * 2^unit in binary32.
inline std::uint32_t encode(bool negative, BigInteger magnitude, int unit, Cut cut) {
  if (magnitude == 0) return 0;
  const int last = std::max(static_cast<int>(msb(magnitude)) + unit - 23, -149);
  if (last <= unit) {
    magnitude <<= unit - last;
    return encode(negative, static_cast<std::uint32_t>(magnitude), last);
  }
  const int dropped = last - unit;
  auto kept = static_cast<std::uint32_t>(magnitude >> dropped);
  const BigInteger rest = magnitude - (BigInteger(kept) << dropped);
  const BigInteger half = BigInteger(1) << (dropped - 1);
  if (cut == Cut::to_nearest && (rest > half || (rest == half && kept % 2 == 1))) ++kept;
  return encode(negative, kept, last);
}

// One block of a truncating unit: terms aligned to the largest exponent, cut, added, cut.
template <class Product>
std::uint32_t truncated_block(const Product& product, const MatrixUnit& unit, int i, int n, int k0,
                              float c) {
  Parts terms[17];
  std::size_t count = 0;
  for (int k = k0; k < k0 + unit.width; ++k) {
    terms[count++] = product_of(product.a[i][k], product.b[k][n]);
  }
  terms[count++] = parts_of(c);
  int top = -133;
  const std::span<const Parts> all(terms, count);
  for (const Parts& x : all) {
    if (x.integer != 0) top = std::max(top, x.exponent);
  }
  std::int64_t sum = 0;
  for (const Parts& x : all) {
    const int places = top - unit.fraction_bits - (x.exponent - x.fraction_bits);
    if (x.integer == 0) continue;
    // Division rounds toward zero, as the unit's cut does; 62 places leave nothing of any term.
    sum += places <= 0 ? x.integer * (std::int64_t{1} << -places)
                       : x.integer / (std::int64_t{1} << std::min(places, 62));
  }
  const bool negative = sum < 0;
  return encode(negative, negative ? -sum : sum, top - unit.fraction_bits, Cut::toward_zero);
}

// Element (i, n) of a product with finite operands. An infinity of an early block stays: later
// blocks add finite terms.
template <class Product>
std::uint32_t model_bits(const Product& product, const MatrixUnit& unit, int i, int n) {
  if (unit.rule == MatrixUnit::Rule::exact) {
    constexpr int kUnit = -300;
    BigInteger sum = 0;
    const auto add = [&](const Parts& x) {
      sum += BigInteger(x.integer) << (x.exponent - x.fraction_bits - kUnit);
    };
    for (int k = 0; k < 16; ++k) add(product_of(product.a[i][k], product.b[k][n]));
    add(parts_of(product.c[i][n]));
    return encode(sum < 0, abs(sum), kUnit, Cut::to_nearest);
  }
  std::uint32_t bits = std::bit_cast<std::uint32_t>(product.c[i][n]);
  for (int k = 0; k < 16 && (bits & 0x7f800000u) != 0x7f800000u; k += unit.width) {
    bits = truncated_block(product, unit, i, n, k, std::bit_cast<float>(bits));
  }
  return bits;
}

}  // namespace attest
