#include "kernels/machine/aligned_sum.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr int kSmallestTop = -133;  // hardware aligns to none smaller; no measured vector is there

}  // namespace

int exponent_of(float x, int smallest_normal) {
  if (x == 0) return kExponentOfZero;
  return std::isfinite(x) ? std::max(std::ilogb(x), smallest_normal) : kExponentNotFinite;
}

double aligned_sum(std::span<const AlignedTerm> terms, int fraction_bits) {
  ATTEST_EXPECTS(terms.size() <= 64 && fraction_bits >= 0 && fraction_bits <= 25);
  double plain = 0;
  int top = kSmallestTop;
  for (const AlignedTerm& term : terms) {
    plain += term.value;
    top = std::max(top, term.exponent);
  }
  if (!std::isfinite(plain)) return plain;

  const int last_place = top - fraction_bits;
  std::int64_t sum = 0;
  for (const AlignedTerm& term : terms) {
    sum += static_cast<std::int64_t>(std::ldexp(term.value, -last_place));
  }
  return std::ldexp(static_cast<double>(sum), last_place);
}

float cut_to_binary32(double x, int fraction_bits) {
  ATTEST_EXPECTS(fraction_bits >= 0 && fraction_bits <= 23);
  if (x == 0 || std::isnan(x)) return static_cast<float>(x);
  if (std::fabs(x) >= 0x1p128) return static_cast<float>(std::copysign(INFINITY, x));
  const int last_place = std::max(std::ilogb(x), -126) - fraction_bits;
  return static_cast<float>(std::ldexp(std::trunc(std::ldexp(x, -last_place)), last_place));
}

}  // namespace attest
