#include "core/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/contract.hpp"

namespace attest {
namespace {

// The three fields of a bit pattern, each as an integer.
struct Fields {
  bool negative;
  std::uint64_t exponent;  // biased
  std::uint64_t fraction;
};

std::uint64_t exponent_mask(const FormatShape& shape) {
  return (std::uint64_t{1} << (shape.bits - shape.unused_bits - shape.precision)) - 1;
}

std::uint64_t fraction_mask(const FormatShape& shape) {
  return (std::uint64_t{1} << (shape.precision - 1)) - 1;
}

Fields split(const FormatShape& shape, std::uint64_t bits) {
  const std::uint64_t used = bits >> shape.unused_bits;
  return {(bits >> (shape.bits - 1) & 1) != 0, used >> (shape.precision - 1) & exponent_mask(shape),
          used & fraction_mask(shape)};
}

std::uint64_t join(const FormatShape& shape, const Fields& fields) {
  return std::uint64_t{fields.negative} << (shape.bits - 1) |
         (fields.exponent << (shape.precision - 1) | fields.fraction) << shape.unused_bits;
}

ValueClass classify(const FormatShape& shape, const Fields& fields) {
  if (fields.exponent == exponent_mask(shape)) {
    if (!shape.has_infinity) {
      return fields.fraction == fraction_mask(shape) ? ValueClass::nan : ValueClass::normal;
    }
    return fields.fraction == 0 ? ValueClass::infinite : ValueClass::nan;
  }
  if (fields.exponent != 0) return ValueClass::normal;
  return fields.fraction == 0 ? ValueClass::zero : ValueClass::subnormal;
}

Fields nan_fields(const FormatShape& shape) {
  const bool all_ones = shape.bits == 16 || !shape.has_infinity;
  const std::uint64_t quiet = std::uint64_t{1} << (shape.precision - 2);
  return {false, exponent_mask(shape), all_ones ? fraction_mask(shape) : quiet};
}

// `magnitude` is finite, positive and representable, so every step here is exact.
Fields encode(const FormatShape& shape, double magnitude) {
  const int e = std::max(std::ilogb(magnitude), shape.emin);
  const auto m = static_cast<std::uint64_t>(std::ldexp(magnitude, shape.precision - 1 - e));
  const std::uint64_t hidden = std::uint64_t{1} << (shape.precision - 1);
  if (m < hidden) return {false, 0, m};
  return {false, static_cast<std::uint64_t>(e - shape.emin + 1), m - hidden};
}

Fields overflow_fields(Format format, const FormatShape& shape, Overflow overflow) {
  if (overflow == Overflow::saturate) return encode(shape, largest_finite(format));
  return shape.has_infinity ? Fields{false, exponent_mask(shape), 0} : nan_fields(shape);
}

// 2^exponent; every element of every tensor needs one. Requires: it is normal in binary64.
double normal_power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// Below the normal range, to a multiple of the smallest number. A sum whose last place that is
// rounds as it should.
double round_subnormal(const FormatShape& shape, double value, Rounding rounding) {
  const int exponent = shape.emin - shape.precision + 1;
  const double quantum = normal_power_of_two(exponent);
  if (rounding == Rounding::toward_zero) {
    return std::trunc(value * normal_power_of_two(-exponent)) * quantum;
  }
  const double large = 0x1.8p52 * quantum;
  return std::copysign((std::fabs(value) + large) - large, value);
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (const Format format : kFormats) {
    if (shape_of(format).name == name) return format;
  }
  return std::nullopt;
}

double widen_bits(Format format, std::uint64_t bits) {
  if (format == Format::f64) return std::bit_cast<double>(bits);
  const FormatShape& shape = shape_of(format);
  ATTEST_EXPECTS(bits >> shape.bits == 0);
  if (format == Format::f32 || format == Format::bf16) {
    const int above = shape_of(Format::f32).bits - shape.bits;
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits << above));
    if (!std::isnan(value)) return static_cast<double>(value);
  }
  const Fields fields = split(shape, bits);
  if (fields.exponent != 0 && fields.exponent != exponent_mask(shape)) {
    // Nearly always: a normal number, whose fields are those of a binary64 but for their widths.
    const auto exponent = static_cast<std::uint64_t>(shape.emin - 1 + 1023) + fields.exponent;
    return std::bit_cast<double>(std::uint64_t{fields.negative} << 63 | exponent << 52 |
                                 fields.fraction << (52 - (shape.precision - 1)));
  }
  const ValueClass kind = classify(shape, fields);
  double magnitude;
  if (kind == ValueClass::infinite) {
    magnitude = std::numeric_limits<double>::infinity();
  } else if (kind == ValueClass::nan) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else {
    const bool normal = fields.exponent != 0;
    const std::uint64_t m = fields.fraction + (std::uint64_t{normal} << (shape.precision - 1));
    const int e = shape.emin + (normal ? static_cast<int>(fields.exponent) - 1 : 0);
    magnitude = static_cast<double>(m) * normal_power_of_two(e - shape.precision + 1);
  }
  return fields.negative ? -magnitude : magnitude;
}

std::uint64_t round_to_bits(Format format, double value, Rounding rounding, Overflow overflow) {
  const FormatShape& shape = shape_of(format);
  if (std::isnan(value)) return join(shape, nan_fields(shape));
  const double magnitude = std::fabs(value);
  Fields fields{false, 0, 0};
  if (std::isinf(magnitude)) {
    fields = overflow_fields(format, shape, overflow);
  } else if (format == Format::f64) {
    return std::bit_cast<std::uint64_t>(value);
  } else if (magnitude != 0) {
    // In units of the last place the value has at most 53 bits and the target a whole number.
    const int quantum = std::max(std::ilogb(magnitude), shape.emin) - shape.precision + 1;
    const double in_units = std::ldexp(magnitude, -quantum);
    const bool nearest = rounding == Rounding::nearest_even;
    const double whole = nearest ? std::nearbyint(in_units) : std::trunc(in_units);
    const double rounded = std::ldexp(whole, quantum);
    if (rounded > largest_finite(format)) {
      fields = overflow_fields(format, shape, nearest ? overflow : Overflow::saturate);
    } else if (rounded != 0) {
      fields = encode(shape, rounded);
    }
  }
  fields.negative = std::signbit(value);
  return join(shape, fields);
}

// What a store keeps is asked far oftener than its pattern. Short of the last binade, the pattern
// of the binary64 itself is cut, after half a place was added (less one where the place is even).
double round_to_format(Format format, double value, Rounding rounding, Overflow overflow) {
  const FormatShape& shape = shape_of(format);
  const double magnitude = std::fabs(value);
  if (format == Format::f64 || !(magnitude < normal_power_of_two(shape.emax))) {
    return widen_bits(format, round_to_bits(format, value, rounding, overflow));
  }
  if (magnitude < normal_power_of_two(shape.emin)) return round_subnormal(shape, value, rounding);
  const int dropped = 53 - shape.precision;
  const std::uint64_t place = std::uint64_t{1} << dropped;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  if (rounding == Rounding::nearest_even) bits += place / 2 - 1 + (bits >> dropped & 1);
  return std::bit_cast<double>(bits & ~(place - 1));
}

ValueClass classify(Format format, std::uint64_t bits) {
  const FormatShape& shape = shape_of(format);
  return classify(shape, split(shape, bits));
}

std::uint64_t ulp_distance(Format format, std::uint64_t a, std::uint64_t b) {
  ATTEST_EXPECTS(classify(format, a) != ValueClass::nan);
  ATTEST_EXPECTS(classify(format, b) != ValueClass::nan);
  const FormatShape shape = shape_of(format);
  const std::uint64_t sign = std::uint64_t{1} << (shape.bits - 1);
  const std::uint64_t ma = (a & ~sign) >> shape.unused_bits;
  const std::uint64_t mb = (b & ~sign) >> shape.unused_bits;
  if ((a & sign) == (b & sign)) return ma > mb ? ma - mb : mb - ma;
  return ma + mb;
}

double unit_roundoff(Format format) { return std::ldexp(1.0, -shape_of(format).precision); }
double smallest_normal(Format format) { return std::ldexp(1.0, shape_of(format).emin); }

double smallest_subnormal(Format format) {
  const FormatShape shape = shape_of(format);
  return std::ldexp(1.0, shape.emin - shape.precision + 1);
}

double largest_finite(Format format) {
  const FormatShape shape = shape_of(format);
  // All ones in the fraction, or all but the last where all ones is the NaN.
  const int last_kept = shape.has_infinity ? 1 - shape.precision : 2 - shape.precision;
  return std::ldexp(2.0 - std::ldexp(1.0, last_kept), shape.emax);
}

double overflow_threshold(Format format) {
  const int half_step = shape_of(format).emax - shape_of(format).precision;
  return largest_finite(format) + std::ldexp(1.0, half_step);  // f64: rounds to infinity
}

}  // namespace attest
