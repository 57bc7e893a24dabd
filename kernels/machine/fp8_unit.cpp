#include "kernels/machine/fp8_unit.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/contract.hpp"
#include "kernels/machine/aligned_sum.hpp"

namespace attest {
namespace {

constexpr int kLargestWidth = 32;

// An operand, widened on a route of its own: not core/format's, which the tests compare it with.
struct Operand {
  float value;
  int exponent;
};

Operand operand(Format format, std::uint8_t bits) {
  const bool e4m3 = format == Format::e4m3;
  const std::uint32_t magnitude = bits & 0x7fu;
  // The fields in those of binary32, whose bias is 120 or 112 larger: a multiplication moves them
  // there, and makes a subnormal normal.
  float value = e4m3 ? std::bit_cast<float>(magnitude << 20) * 0x1p120f
                     : std::bit_cast<float>(magnitude << 21) * 0x1p112f;
  if (e4m3 ? magnitude == 0x7f : magnitude > 0x7c) value = std::numeric_limits<float>::quiet_NaN();
  if (!e4m3 && magnitude == 0x7c) value = std::numeric_limits<float>::infinity();
  return {(bits & 0x80) != 0 ? -value : value, exponent_of(value, e4m3 ? -6 : -14)};
}

}  // namespace

float accumulate(const Fp8Unit& unit, Format format, std::span<const std::uint8_t> a,
                 std::span<const std::uint8_t> b, float c) {
  ATTEST_EXPECTS(format == Format::e4m3 || format == Format::e5m2);
  const auto width = static_cast<std::size_t>(unit.width);
  ATTEST_EXPECTS(unit.width > 0 && unit.width <= kLargestWidth);
  ATTEST_EXPECTS(a.size() == b.size() && a.size() % width == 0);
  std::array<AlignedTerm, kLargestWidth + 1> terms;
  for (std::size_t first = 0; first < a.size(); first += width) {
    std::size_t count = 0;
    for (std::size_t k = first; k < first + width; ++k) {
      const Operand x = operand(format, a[k]), y = operand(format, b[k]);
      terms[count++] = {double{x.value} * double{y.value}, x.exponent + y.exponent};
    }
    if (!unit.accumulator_last) terms[count++] = {c, exponent_of(c, -126)};
    const float sum = cut_to_binary32(aligned_sum({terms.data(), count}, unit.fraction_bits),
                                      unit.output_fraction_bits);
    c = unit.accumulator_last ? c + sum : sum;
  }
  return c;
}

}  // namespace attest
