#include "judge/unit_dots.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/contract.hpp"
#include "core/format.hpp"

namespace attest {
namespace {

__extension__ using Wide = __int128;

// What takes no part in the choice of a largest exponent.
constexpr std::int32_t kOfZero = -10000;
constexpr std::int32_t kSmallestTop = -133;
constexpr int kSmallestNormal32 = -126;

std::int32_t exponent_of(double x, std::int32_t smallest_normal) {
  const auto field = static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
  const std::int32_t exponent = std::max(field - 1023, smallest_normal);
  return x == 0 ? kOfZero : exponent;
}

// 2^e. Requires: a normal binary64.
double power_of_two(std::int32_t e) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

// a + b, of which the last bit is set where it is not exact. From such a sum any rounding to fewer
// than 52 bits goes as it would from the exact one.
double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const auto bits = std::bit_cast<std::int64_t>(sum);
  const std::int64_t step = (error > 0) == (sum > 0) ? 1 : -1;
  const bool moves = error != 0 && (bits & 1) == 0;
  return std::bit_cast<double>(bits + (moves ? step : 0));
}

// Toward zero. Requires: below 2^31 in magnitude, as is every aligned term: its significand is
// below 4, and at most 25 fraction bits are kept.
double whole_part(double x) { return static_cast<double>(static_cast<std::int32_t>(x)); }

// To binary32, toward zero.
double cut_to_binary32(double x) {
  const auto nearest = static_cast<float>(x);
  const auto bits = std::bit_cast<std::int32_t>(nearest);
  const bool too_large = std::fabs(static_cast<double>(nearest)) > std::fabs(x);
  return static_cast<double>(std::bit_cast<float>(bits - (too_large ? 1 : 0)));
}

struct BlockRule {
  Index width;
  std::int32_t fraction_bits;
};

BlockRule rule_of(Unit unit) {
  if (unit == Unit::v100) return {4, 23};
  return unit == Unit::a100 ? BlockRule{8, 24} : BlockRule{16, 25};
}

// Requires: not 0; operands of 16 bits are normal binary64 numbers.
int lowest_bit(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & ((std::uint64_t{1} << 52) - 1);
  const int exponent = exponent_of(x, -1022);
  return bits == 0 ? exponent : exponent - 52 + std::countr_zero(bits);
}

// The lowest bit and the end of all numbers that are not 0.
struct Reach {
  int lowest = 1000;
  int highest = -1000;

  void take(double x) {
    if (x == 0) return;
    lowest = std::min(lowest, lowest_bit(x));
    highest = std::max(highest, exponent_of(x, -1022) + 1);
  }
};

// x 2^unit, rounded to binary32.
template <class Integer>
double round_integer(Integer x, int unit) {
  const bool negative = x < 0;
  Integer magnitude = negative ? -x : x;
  bool lost = false;
  for (; magnitude >> 53 != 0; ++unit) {
    lost = lost || (magnitude & 1) != 0;
    magnitude >>= 1;
  }
  // 53 bits of which the last stands for all that was lost round as the whole number does.
  const double kept = static_cast<double>(static_cast<std::int64_t>(magnitude) | (lost ? 1 : 0));
  const double rounded = static_cast<double>(static_cast<float>(std::ldexp(kept, unit)));
  return negative ? -rounded : rounded;
}

// sum + the products of one column of the result, block by block, as integers times 2^unit.
template <class Integer>
double add_blocks(std::span<const double> left, const double* right, Index stride, int unit) {
  constexpr std::size_t kDepth = 16;
  const double scale = std::ldexp(1.0, -unit);
  double sum = 0;
  for (std::size_t block = 0; block < left.size(); block += kDepth) {
    auto total = static_cast<Integer>(sum * scale);
    for (std::size_t c = block; c < std::min(left.size(), block + kDepth); ++c) {
      total += static_cast<Integer>(left[c] * right[static_cast<Index>(c) * stride] * scale);
    }
    sum = round_integer(total, unit);
  }
  return sum;
}

}  // namespace

UnitDots::UnitDots(Unit unit, Format format, std::span<const double> right, Index depth)
    : unit_(unit),
      format_(format),
      rows_(static_cast<Index>(right.size()) / depth),
      depth_(depth),
      right_(right.size()),
      exponent_(right.size()) {
  ATTEST_EXPECTS(has_rule(unit, format));
  Reach reach;
  const int least = shape_of(format).emin;
  for (Index j = 0; j < rows_; ++j) {
    for (Index c = 0; c < depth; ++c) {
      const double x = right[static_cast<std::size_t>(j * depth + c)];
      const auto at = static_cast<std::size_t>(c * rows_ + j);
      right_[at] = x;
      exponent_[at] = exponent_of(x, least);
      if (unit == Unit::exact_rn && std::isfinite(x)) reach.take(x);
    }
  }
  lowest_ = reach.lowest;
  highest_ = reach.highest;
}

bool UnitDots::has_rule(Unit unit, Format format) {
  return unit != Unit::device && (format == Format::f16 || format == Format::bf16);
}

std::vector<double> UnitDots::of(std::span<const double> left, Index first, Index end) const {
  ATTEST_EXPECTS(static_cast<Index>(left.size()) == depth_);
  std::vector<double> sum(static_cast<std::size_t>(end - first));
  switch (unit_) {
    case Unit::fp32_seq: add_sequential(left, first, sum); break;
    case Unit::exact_rn:
      if (!add_exact(left, first, sum)) sum.clear();
      break;
    default: add_truncating(left, first, sum);
  }
  return sum;
}

void UnitDots::add_sequential(std::span<const double> left, Index first,
                              std::vector<double>& sum) const {
  for (Index c = 0; c < depth_; ++c) {
    const double x = left[static_cast<std::size_t>(c)];
    const double* right = right_.data() + c * rows_ + first;
    for (std::size_t n = 0; n < sum.size(); ++n) {
      sum[n] = static_cast<double>(static_cast<float>(add_to_odd(sum[n], x * right[n])));
    }
  }
}

void UnitDots::add_truncating(std::span<const double> left, Index first,
                              std::vector<double>& sum) const {
  const auto [width, fraction_bits] = rule_of(unit_);
  std::vector<std::int32_t> top(sum.size());
  std::vector<double> scale(sum.size());
  for (Index block = 0; block < depth_; block += width) {
    const Index end = std::min(depth_, block + width);
    for (std::size_t n = 0; n < sum.size(); ++n) {
      top[n] = std::max(kSmallestTop, exponent_of(sum[n], kSmallestNormal32));
    }
    for (Index c = block; c < end; ++c) {
      const std::int32_t own =
          exponent_of(left[static_cast<std::size_t>(c)], shape_of(format_).emin);
      const std::int32_t* other = exponent_.data() + c * rows_ + first;
      for (std::size_t n = 0; n < sum.size(); ++n) top[n] = std::max(top[n], own + other[n]);
    }
    for (std::size_t n = 0; n < sum.size(); ++n) {
      scale[n] = power_of_two(fraction_bits - top[n]);
      sum[n] = whole_part(sum[n] * scale[n]);
    }
    for (Index c = block; c < end; ++c) {
      const double x = left[static_cast<std::size_t>(c)];
      const double* right = right_.data() + c * rows_ + first;
      for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += whole_part(x * right[n] * scale[n]);
    }
    for (std::size_t n = 0; n < sum.size(); ++n) {
      sum[n] = cut_to_binary32(sum[n] * power_of_two(top[n] - fraction_bits));
    }
  }
}

bool UnitDots::add_exact(std::span<const double> left, Index first,
                         std::vector<double>& sum) const {
  constexpr int kLong = 110;  // bits of an integer, with room for the sum
  constexpr int kShort = 60;
  Reach reach;
  for (const double x : left) reach.take(x);
  if (reach.lowest > reach.highest || lowest_ > highest_) return true;  // all products are 0
  // Roundings only drop low bits, so that whatever the accumulator holds is a multiple of this.
  const int unit = reach.lowest + lowest_;
  const int most = reach.highest + highest_ +
                   static_cast<int>(std::bit_width(static_cast<std::uint64_t>(depth_)));
  if (most - unit > kLong) return false;
  const bool is_short = most - unit <= kShort;
  for (std::size_t n = 0; n < sum.size(); ++n) {
    const double* right = right_.data() + first + static_cast<Index>(n);
    sum[n] = is_short ? add_blocks<std::int64_t>(left, right, rows_, unit)
                      : add_blocks<Wide>(left, right, rows_, unit);
  }
  return true;
}

}  // namespace attest
