#include "core/widen_row.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

namespace attest {
namespace {

// The pattern of a format's magnitude, moved to where binary64 has its fields, is the value but for
// the bias of the exponent: one exact product with a power of two, subnormals included.
template <Format kFormat>
double widen(std::uint64_t pattern) {
  constexpr FormatShape kShape = shape_of(kFormat);
  constexpr int kFractionBits = kShape.precision - 1;
  constexpr std::uint64_t kMagnitude = (std::uint64_t{1} << (kShape.bits - 1)) - 1;
  constexpr std::uint64_t kUsed = kMagnitude >> kShape.unused_bits;
  constexpr std::uint64_t kInfinite = kUsed >> kFractionBits << kFractionBits;
  // Exponents count from emin - 1 there, from -1023 here.
  constexpr auto kBias = static_cast<std::uint64_t>(1023 + kShape.emin + 1022) << 52;
  const std::uint64_t magnitude = (pattern & kMagnitude) >> kShape.unused_bits;
  double value =
      std::bit_cast<double>(magnitude << (52 - kFractionBits)) * std::bit_cast<double>(kBias);
  if (kShape.has_infinity ? magnitude >= kInfinite : magnitude == kUsed) {
    value = magnitude == kInfinite && kShape.has_infinity
                ? std::numeric_limits<double>::infinity()
                : std::numeric_limits<double>::quiet_NaN();
  }
  // No branch: signs of random data are not predictable.
  const std::uint64_t sign = std::uint64_t{pattern > kMagnitude} << 63;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | sign);
}

template <Format kFormat>
void widen_all(const std::byte* from, Index stride, Index count, double* to) {
  constexpr int kBits = shape_of(kFormat).bits;
  using Pattern = std::conditional_t<
      kBits == 8, std::uint8_t,
      std::conditional_t<kBits == 16, std::uint16_t,
                         std::conditional_t<kBits == 32, std::uint32_t, std::uint64_t>>>;
  for (Index n = 0; n < count; ++n) {
    Pattern pattern;
    std::memcpy(&pattern, from + n * stride * static_cast<Index>(sizeof pattern), sizeof pattern);
    if constexpr (kFormat == Format::f64) {
      to[n] = std::bit_cast<double>(pattern);
    } else {
      to[n] = widen<kFormat>(pattern);
    }
  }
}

}  // namespace

void widen_row(const ConstTensorView& view, Index b, Index h, Index row, double* to) {
  const Index count = view.extents[3];
  if (count == 0) return;
  const std::byte* from = view.at(b, h, row, 0);
  const Index stride = view.strides[3];
  switch (view.format) {
    case Format::f64: return widen_all<Format::f64>(from, stride, count, to);
    case Format::f32: return widen_all<Format::f32>(from, stride, count, to);
    case Format::f16: return widen_all<Format::f16>(from, stride, count, to);
    case Format::bf16: return widen_all<Format::bf16>(from, stride, count, to);
    case Format::tf32: return widen_all<Format::tf32>(from, stride, count, to);
    case Format::e4m3: return widen_all<Format::e4m3>(from, stride, count, to);
    case Format::e5m2: return widen_all<Format::e5m2>(from, stride, count, to);
  }
}

}  // namespace attest
