#include "judge/widened_rows.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace attest {
namespace {

double widen_bf16(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

// Without a library call, which widen_bits makes for its power of two.
double widen_f16(std::uint16_t bits) {
  const std::uint64_t exponent = bits >> 10 & 0x1f;
  const std::uint64_t fraction = bits & 0x3ff;
  if (exponent == 0x1f) return widen_bits(Format::f16, bits);
  const double magnitude = exponent == 0
                               ? static_cast<double>(fraction) * 0x1p-24
                               : std::bit_cast<double>((exponent + 1008) << 52 | fraction << 42);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class Widen>
void widen_row(const std::byte* from, Index step, double* to, Index columns, const Widen& widen) {
  for (Index c = 0; c < columns; ++c) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from + c * step, sizeof bits);
    to[c] = widen(bits);
  }
}

}  // namespace

std::vector<double> widened_rows(const ConstTensorView& from, Index b, Index h, Index first,
                                 Index rows) {
  const Index columns = from.extents[3];
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  const Index step = from.strides[3] * bytes_of(from.format);
  for (Index n = 0; n < rows && columns > 0; ++n) {
    double* to = values.data() + n * columns;
    const std::byte* row = from.at(b, h, first + n, 0);
    switch (from.format) {
      case Format::f16: widen_row(row, step, to, columns, widen_f16); break;
      case Format::bf16: widen_row(row, step, to, columns, widen_bf16); break;
      default:
        for (Index c = 0; c < columns; ++c) to[c] = from.value(b, h, first + n, c);
    }
  }
  return values;
}

}  // namespace attest
